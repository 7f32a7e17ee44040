/** Where each claim is drawn: layers, with the grounds below and what rests on them above. */
import dagre from "@dagrejs/dagre";

export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Line {
  source: string;
  target: string;
  /** Whether it decides who stands above whom: grounds do, attacks and explanations only lean on the result. */
  isRank: boolean;
}

export interface Request {
  number: number;
  boxes: readonly Box[];
  lines: readonly Line[];
}

export type Places = Record<string, { x: number; y: number }>;

export interface Answer {
  number: number;
  places: Places;
}

/** Give the upper left corner of each box; what has no line stands in rows below the rest. */
export function placesOf({ boxes, lines }: Pick<Request, "boxes" | "lines">): Places {
  const ends = new Set(lines.flatMap(({ source, target }) => [source, target]));
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "BT", nodesep: 16, ranksep: 38, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) if (ends.has(id)) graph.setNode(id, { width, height });
  lines.forEach(({ source, target, isRank }, index) => {
    if (source !== target && graph.hasNode(source) && graph.hasNode(target)) {
      graph.setEdge(source, target, { weight: isRank ? 3 : 1, minlen: 1 }, String(index));
    }
  });
  if (graph.nodeCount() > 0) dagre.layout(graph);
  const places: Places = {};
  let bottom = 0;
  let right = 0;
  for (const { id, width, height } of boxes) {
    if (!ends.has(id)) continue;
    const { x, y } = graph.node(id) as { x: number; y: number };
    places[id] = { x: x - width / 2, y: y - height / 2 };
    bottom = Math.max(bottom, y + height / 2);
    right = Math.max(right, x + width / 2);
  }
  rows(
    boxes.filter(({ id }) => !ends.has(id)),
    Math.max(right, 760),
    bottom > 0 ? bottom + 48 : 0,
    places,
  );
  return places;
}

function rows(boxes: readonly Box[], width: number, top: number, places: Places): void {
  let x = 0;
  let y = top;
  let tallest = 0;
  for (const box of boxes) {
    if (x > 0 && x + box.width > width) {
      x = 0;
      y += tallest + 22;
      tallest = 0;
    }
    places[box.id] = { x, y };
    x += box.width + 22;
    tallest = Math.max(tallest, box.height);
  }
}
