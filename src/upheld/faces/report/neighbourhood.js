// Which part of the graph is drawn: the neighbourhood of the selection, or all of it; like grounds fold into one box.

const LIMITS = { whole: 36, near: 44, all: 360, fold: 3 };
const GROUND_KINDS = new Set(["observation", "fact", "evidence", "constraint", "assumption"]);

function visibleGraph(record, view) {
  const present = [...record.propositions.values()].filter((one) => one.place <= view.turn);
  const { ids, note } = chosen(record, view, present);
  const edges = drawnEdges(record, ids, view.turn);
  return { ...folded(record, view, ids, edges), note };
}

function chosen(record, view, present) {
  const count = present.length;
  if (view.all || (!view.claim && count <= LIMITS.whole)) {
    const ids = new Set(present.slice(-LIMITS.all).map((one) => one.id));
    if (view.claim) ids.add(view.claim);
    const note = ids.size < count ? `the newest ${ids.size} of ${count} claims` : `all ${count} claims`;
    return { ids, note: `${note} as of ${turnName(record, view.turn)}` };
  }
  const seeds = view.claim ? [view.claim] : touchedAt(record, view.turn);
  const { ids, isWhole } = near(record, seeds, view.turn);
  const about = view.claim ? `around ${view.claim}` : `around what ${turnName(record, view.turn)} said`;
  return { ids, note: `${ids.size} of ${count} claims, ${isWhole ? "" : "the nearest "}${about}` };
}

function turnName(record, turn) {
  return record.turns[turn]?.id ?? "the start";
}

function touchedAt(record, turn) {
  const said = (record.saidAt.get(turn) ?? []).map((one) => one.id);
  const { fell = [], back = [], settled = [] } = record.events.get(turn) ?? {};
  const touched = [...new Set([...fell, ...back, ...settled, ...said])].slice(0, 12);
  if (touched.length) return touched;
  const before = [...record.propositions.values()].filter((one) => one.place < turn);
  return before.slice(-4).map((one) => one.id);
}

// Grounds of grounds below, conclusions of conclusions above; what attacks, replaces or explains comes along by one
// step, an attacker with its evidence.
function near(record, seeds, turn) {
  const ids = new Set();
  const queue = seeds.flatMap((id) => [{ id, way: "down" }, { id, way: "up" }]);
  const walked = new Set();
  let isWhole = true;
  for (let index = 0; index < queue.length; index += 1) {
    const { id, way } = queue[index];
    if (!ids.has(id) && ids.size >= LIMITS.near) {
      isWhole = false;
      continue;
    }
    ids.add(id);
    if (walked.has(`${way} ${id}`)) continue;
    walked.add(`${way} ${id}`);
    queue.push(...steps(record, id, way, turn));
  }
  return { ids, isWhole };
}

function steps(record, id, way, turn) {
  if (way === "stay") return [];
  const into = edgesInto(record, id, turn);
  const from = edgesFrom(record, id, turn);
  const carried = (edges, end, next) => edges.filter((edge) => edge.carries).map((edge) => ({ id: edge[end], way: next }));
  if (way === "evidence") return carried(into, "source", "stay");
  const beside = [
    ...into.filter((edge) => !edge.carries).map((edge) => ({ id: edge.source, way: "evidence" })),
    ...from.filter((edge) => !edge.carries).map((edge) => ({ id: edge.target, way: "stay" })),
  ];
  return [...(way === "down" ? carried(into, "source", "down") : carried(from, "target", "up")), ...beside];
}

function drawnEdges(record, ids, turn) {
  const edges = [];
  for (const id of ids) {
    for (const edge of edgesInto(record, id, turn)) if (ids.has(edge.source)) edges.push(edge);
  }
  return edges;
}

// Grounds that bear on the same claims in the same way, and stand alike, become "12 observations".
function folded(record, view, ids, edges) {
  const outgoing = grouped(edges, (edge) => edge.source);
  const incoming = new Set(edges.map((edge) => edge.target));
  const kindOf = (id) => record.propositions.get(id).kind;
  const alike = (id) => {
    const targets = (outgoing.get(id) ?? []).map((edge) => `${edge.kind} ${edge.target}`).sort();
    return `${gradeAt(record, id, view.turn).name} | ${targets.join(" | ")}`;
  };
  const candidates = [...ids].filter((id) => id !== view.claim && !incoming.has(id) && GROUND_KINDS.has(kindOf(id)));
  const home = new Map();
  const clusters = [];
  for (const [key, members] of grouped(candidates, alike)) {
    if (members.length <= LIMITS.fold || view.unfolded.has(key)) continue;
    const kinds = new Set(members.map(kindOf));
    const noun = kinds.size > 1 ? "grounds" : `${[...kinds][0]}s`.replace("evidences", "pieces of evidence");
    const isLoose = key.endsWith("| ");
    clusters.push({ id: key, members, noun, isLoose, grade: gradeAt(record, members[0], view.turn) });
    for (const id of members) home.set(id, key);
  }
  const nodes = [...ids].filter((id) => !home.has(id)).map((id) => ({ id, grade: gradeAt(record, id, view.turn) }));
  const unique = new Map();
  for (const edge of edges) {
    const drawnEdge = { ...edge, source: home.get(edge.source) ?? edge.source };
    unique.set(`${drawnEdge.source} ${edge.kind} ${edge.target}`, drawnEdge);
  }
  return { nodes: [...nodes, ...clusters], edges: [...unique.values()] };
}
