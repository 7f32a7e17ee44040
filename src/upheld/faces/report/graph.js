// The graph as SVG: grounds below, conclusions above; drag to move, wheel or buttons to zoom.

const BOX = { width: 156, height: 82, inset: 9, lines: 3 };
const FACE = getComputedStyle(document.documentElement).fontFamily;
const FONTS = { id: `650 12.5px ${FACE}`, kind: `11px ${FACE}`, said: `12px ${FACE}` };
const KINDS = {
  premise: "ground of",
  corroboration: "backs",
  explanation: "explains",
  attack: "speaks against",
  supersession: "replaces",
};

function graphPart(record, act) {
  const svg = byId("graph");
  const stage = drawn("g", { class: "stage" });
  svg.append(arrowHeads(), stage);
  byId("legend").append(...Object.entries(KINDS).map(legendRow));
  byId("all").addEventListener("click", () => act.toggleAll());
  listenForChoices(svg, act);
  const camera = cameraOn(svg, stage);
  let shown = "";
  return {
    show(view) {
      const key = [view.turn, view.claim, view.all, view.unfolded.size].join(" ");
      if (key === shown) return;
      shown = key;
      const { nodes, edges, note } = visibleGraph(record, view);
      const plan = layered(nodes.map((node) => ({ ...node, width: BOX.width, height: BOX.height })), edges);
      const hadFocus = stage.contains(document.activeElement);
      stage.replaceChildren(...edgePaths(record, view, edges, plan), ...nodes.map((node) => nodeBox(record, view, node, plan)));
      if (hadFocus) (stage.querySelector(".selected") ?? svg).focus();
      byId("graph-note").textContent = nodes.length ? note : "nothing was said yet";
      byId("all").setAttribute("aria-pressed", String(view.all));
      camera.fit(plan, plan.boxes.get(view.claim), view.all ? 0.42 : 0.72);
    },
    refit: () => camera.fit(),
  };
}

function nodeBox(record, view, node, plan) {
  const { x, y } = plan.boxes.get(node.id);
  return node.members ? clusterBox(node, x, y) : claimBox(record, view, node, x, y);
}

function claimBox(record, view, node, x, y) {
  const proposition = record.propositions.get(node.id);
  const round = { hypothesis: 14, position: 14, issue: 26, decision: 0 }[proposition.kind] ?? 3;
  const inner = BOX.width - 2 * BOX.inset;
  const lines = wrapped(proposition.text, inner, BOX.lines);
  const head = cut(`${node.grade.mark} ${node.id}`, inner, FONTS.id);
  const hasRoom = widthOf(head, FONTS.id) + widthOf(proposition.kind, FONTS.kind) + 10 < inner;
  const label = `${node.id}, ${proposition.kind}, ${node.grade.word}: ${proposition.text}`;
  return drawn(
    "g",
    {
      class: `node is-${node.grade.name} kind-${proposition.kind}${node.id === view.claim ? " selected" : ""}`,
      transform: `translate(${x - BOX.width / 2} ${y - BOX.height / 2})`,
      role: "button",
      tabindex: "0",
      "aria-label": label,
      "data-claim": node.id,
    },
    drawn("title", {}, `${proposition.text} (${node.grade.word})`),
    drawn("rect", { width: BOX.width, height: BOX.height, rx: round }),
    drawn("text", { x: BOX.inset, y: 18, class: "id" }, head),
    hasRoom ? drawn("text", { x: BOX.width - BOX.inset, y: 18, class: "kind", "text-anchor": "end" }, proposition.kind) : null,
    lines.map((line, index) => drawn("text", { x: BOX.inset, y: 36 + 15 * index, class: "said" }, line)),
  );
}

function clusterBox(node, x, y) {
  const count = `${node.members.length} ${node.noun}`;
  const members = wrapped(node.members.join(" "), BOX.width - 2 * BOX.inset, 2);
  const about = node.isLoose ? "nothing drawn here rests on them" : "the same claims rest on them";
  return drawn(
    "g",
    {
      class: `node cluster is-${node.grade.name}`,
      transform: `translate(${x - BOX.width / 2} ${y - BOX.height / 2})`,
      role: "button",
      tabindex: "0",
      "aria-label": `${count}, ${about}; unfold`,
      "data-cluster": node.id,
    },
    drawn("title", {}, node.members.join(", ")),
    drawn("rect", { x: 6, y: -5, width: BOX.width - 6, height: BOX.height, rx: 3, class: "behind" }),
    drawn("rect", { width: BOX.width, height: BOX.height, rx: 3 }),
    drawn("text", { x: BOX.inset, y: 22, class: "id" }, `${node.grade.mark} ${count}`),
    members.map((line, index) => drawn("text", { x: BOX.inset, y: 40 + 15 * index, class: "said" }, line)),
    drawn("text", { x: BOX.inset, y: 72, class: "kind" }, "unfold"),
  );
}

const pen = document.createElement("canvas").getContext("2d");

function widthOf(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

function cut(text, width, font) {
  if (widthOf(text, font) <= width) return text;
  let kept = text;
  while (kept && widthOf(`${kept}…`, font) > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

function wrapped(text, width, most) {
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (widthOf(longer, FONTS.said) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === most - 1) return [...lines, cut(longer, width, FONTS.said)];
    if (line) lines.push(line);
    line = cut(word, width, FONTS.said);
  }
  return [...lines, line];
}

function edgePaths(record, view, edges, plan) {
  const pairs = new Map();
  return edges.map((edge, index) => {
    const pair = [edge.source, edge.target].join(" ");
    const nth = pairs.get(pair) ?? 0;
    pairs.set(pair, nth + 1);
    const isIdle = record.propositions.has(edge.source) && !doesHold(record, edge.source, view.turn);
    const isNear = view.claim === edge.source || view.claim === edge.target;
    return drawn("path", {
      class: `edge ${edge.kind}${isIdle ? " idle" : ""}${isNear ? " near" : ""}`,
      d: route(plan.routes[index], nth * 12),
      "marker-end": `url(#head-${edge.kind})`,
    });
  });
}

function route(points, shift) {
  const [source, ...rest] = points;
  const target = rest.at(-1);
  const half = BOX.height / 2;
  if (Math.abs(source.y - target.y) < 1) return besideRoute(source, target, half, shift);
  const way = target.y < source.y ? -1 : 1;
  let at = { x: source.x + shift, y: source.y + way * half };
  const parts = [`M${at.x} ${at.y}`];
  for (const point of rest) {
    const isLast = point === target;
    const to = { x: point.x + shift, y: point.y - way * (isLast ? half + 3 : half) };
    const middle = (at.y + to.y) / 2;
    parts.push(`C${at.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`);
    // Between two boxes of a row the way is straight, so that it cuts no corner.
    at = isLast ? to : { x: to.x, y: point.y + way * half };
    if (!isLast) parts.push(`L${at.x} ${at.y}`);
  }
  return parts.join("");
}

function besideRoute(source, target, half, shift) {
  const way = Math.sign(target.x - source.x) || 1;
  if (Math.abs(target.x - source.x) < BOX.width + 2 * SPACE.between) {
    const y = source.y + shift;
    return `M${source.x + (way * BOX.width) / 2} ${y}L${target.x - way * (BOX.width / 2 + 3)} ${y}`;
  }
  const top = source.y - half;
  const lift = top - SPACE.rows * 0.8;
  return `M${source.x + 20 * way} ${top}C${source.x + 60 * way} ${lift} ${target.x - 60 * way} ${lift} ${target.x - 20 * way} ${top - 3}`;
}

function arrowHeads() {
  const filled = (kind) =>
    drawn(
      "marker",
      { id: `head-${kind}`, class: `head ${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" },
      drawn("path", { d: kind === "attack" ? "M6 0h3v10h-3z" : "M0 0L10 5L0 10z" }),
    );
  return drawn("defs", {}, Object.keys(KINDS).map(filled));
}

function legendRow([kind, words]) {
  const line = drawn("path", { class: `edge ${kind}`, d: "M1 6H27", "marker-end": `url(#head-${kind})` });
  return element("li", {}, drawn("svg", { width: 30, height: 12, "aria-hidden": "true" }, line), words);
}

function cameraOn(svg, stage) {
  const camera = { x: 0, y: 0, k: 1 };
  let plan = { width: 0, height: 0 };
  let focus = null;
  let least = 1;
  const apply = () => stage.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.k})`);
  const zoom = (factor, x = svg.clientWidth / 2, y = svg.clientHeight / 2) => {
    const k = Math.min(2.5, Math.max(0.08, camera.k * factor));
    camera.x = x - ((x - camera.x) * k) / camera.k;
    camera.y = y - ((y - camera.y) * k) / camera.k;
    camera.k = k;
    apply();
  };
  const centred = (pane, size, at) => {
    if (size * camera.k <= pane - 16) return (pane - size * camera.k) / 2;
    return Math.min(12, Math.max(pane - size * camera.k - 12, pane / 2 - at * camera.k));
  };
  const fit = (nextPlan = plan, nextFocus = focus, nextLeast = least) => {
    [plan, focus, least] = [nextPlan, nextFocus, nextLeast];
    const [width, height] = [svg.clientWidth, svg.clientHeight];
    const whole = Math.min((width - 24) / plan.width, (height - 24) / plan.height);
    camera.k = Math.min(1.1, Math.max(least, whole || 1));
    camera.x = centred(width, plan.width, focus?.x ?? plan.width / 2);
    camera.y = centred(height, plan.height, focus?.y ?? plan.height / 2);
    apply();
  };
  byId("zoom-in").addEventListener("click", () => zoom(1.25));
  byId("zoom-out").addEventListener("click", () => zoom(0.8));
  byId("zoom-fit").addEventListener("click", () => fit(plan, focus, 0.08));
  svg.addEventListener("wheel", (event) => wheel(event, svg, camera, zoom, apply), { passive: false });
  dragging(svg, camera, apply);
  // Paper has another size than the pane, and no layout of its own to ask for before it is printed.
  window.addEventListener("beforeprint", () => {
    stage.removeAttribute("transform");
    svg.setAttribute("viewBox", `-4 -60 ${plan.width + 8} ${plan.height + 64}`);
  });
  window.addEventListener("afterprint", () => {
    svg.removeAttribute("viewBox");
    apply();
  });
  return { fit };
}

function wheel(event, svg, camera, zoom, apply) {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) {
    const frame = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
    return;
  }
  camera.x -= event.shiftKey ? event.deltaY : event.deltaX;
  camera.y -= event.shiftKey ? 0 : event.deltaY;
  apply();
}

function dragging(svg, camera, apply) {
  let from = null;
  let hasMoved = false;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = { x: event.clientX - camera.x, y: event.clientY - camera.y, startX: event.clientX, startY: event.clientY };
    hasMoved = false;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const distance = Math.hypot(event.clientX - from.startX, event.clientY - from.startY);
    if (!hasMoved && distance < 5) return;
    if (!hasMoved) svg.setPointerCapture(event.pointerId);
    hasMoved = true;
    [camera.x, camera.y] = [event.clientX - from.x, event.clientY - from.y];
    apply();
  });
  const end = () => (from = null);
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
  // A drag that ends on a box is no click on it.
  svg.addEventListener("click", (event) => hasMoved && event.stopImmediatePropagation(), { capture: true });
}
