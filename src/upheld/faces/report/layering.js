// Layers bottom-up: grounds below, conclusions above. Longest-path ranks, barycentre order, then the x of each row by
// least squares. Source: Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System
// Structures", IEEE SMC 11(2), 1981; the pool-adjacent-violators step is isotonic regression (Ayer et al., 1955).

const SPACE = { between: 16, rows: 52, widest: 6, bend: 10 };

// nodes: [{id, width, height}], edges: [{source, target, carries}] → {boxes: id → {x, y}, routes: one a edge, size}
function layered(nodes, edges) {
  if (!nodes.length) return { boxes: new Map(), routes: [], width: 0, height: 0 };
  const height = Math.max(...nodes.map((node) => node.height));
  const row = wrappedRows(nodes, ranksOf(nodes, edges));
  const { rows, chains } = withBends(nodes, edges, row);
  const links = linksOf(chains, row);
  for (let sweep = 0; sweep < 8; sweep += 1) sortRows(rows, links, sweep % 2 === 0);
  placeRows(rows, links);
  const left = Math.min(...rows.flat().map((item) => item.x - item.width / 2));
  const right = Math.max(...rows.flat().map((item) => item.x + item.width / 2));
  const boxes = new Map();
  rows.forEach((items, index) => {
    for (const item of items) {
      boxes.set(item.id, { ...item, x: item.x - left, y: (rows.length - 1 - index) * (height + SPACE.rows) + height / 2 });
    }
  });
  const routes = chains.map((chain) => chain.map((id) => boxes.get(id)));
  return { boxes, routes, width: right - left, height: rows.length * (height + SPACE.rows) - SPACE.rows };
}

function ranksOf(nodes, edges) {
  const rank = new Map(nodes.map((node) => [node.id, 0]));
  const waiting = new Map(nodes.map((node) => [node.id, 0]));
  const forward = withoutCircles(nodes, edges.filter((edge) => edge.carries));
  for (const edge of forward) waiting.set(edge.target, waiting.get(edge.target) + 1);
  const outgoing = grouped(forward, (edge) => edge.source);
  const ready = nodes.map((node) => node.id).filter((id) => !waiting.get(id));
  const bottom = new Set(ready);
  for (let index = 0; index < ready.length; index += 1) {
    for (const edge of outgoing.get(ready[index]) ?? []) {
      rank.set(edge.target, Math.max(rank.get(edge.target), rank.get(edge.source) + 1));
      waiting.set(edge.target, waiting.get(edge.target) - 1);
      if (!waiting.get(edge.target)) ready.push(edge.target);
    }
  }
  for (const id of bottom) {
    const above = (outgoing.get(id) ?? []).map((edge) => rank.get(edge.target));
    if (above.length) rank.set(id, Math.min(...above) - 1);
  }
  for (const edge of edges) {
    if (!edge.carries && bottom.has(edge.source) && !outgoing.has(edge.source)) {
      rank.set(edge.source, rank.get(edge.target));
    }
  }
  return rank;
}

// Drops the edges that close a circle. Depth first, with a stack of its own: chains may be long.
function withoutCircles(nodes, edges) {
  const outgoing = grouped(edges, (edge) => edge.source);
  const state = new Map();
  const closing = new Set();
  for (const { id: start } of nodes) {
    if (state.has(start)) continue;
    state.set(start, "open");
    const stack = [{ id: start, next: 0 }];
    while (stack.length) {
      const top = stack.at(-1);
      const edge = (outgoing.get(top.id) ?? [])[top.next];
      top.next += 1;
      if (!edge) {
        state.set(top.id, "done");
        stack.pop();
      } else if (state.get(edge.target) === "open") {
        closing.add(edge);
      } else if (!state.has(edge.target)) {
        state.set(edge.target, "open");
        stack.push({ id: edge.target, next: 0 });
      }
    }
  }
  return edges.filter((edge) => !closing.has(edge));
}

// A rank with more nodes than fit side by side takes several rows.
function wrappedRows(nodes, rank) {
  const ranks = [...grouped(nodes, (node) => rank.get(node.id))].sort(([one], [other]) => one - other);
  const row = new Map();
  let next = 0;
  for (const [, members] of ranks) {
    const rowCount = Math.ceil(members.length / SPACE.widest);
    const perRow = Math.ceil(members.length / rowCount);
    members.forEach((node, index) => row.set(node.id, next + Math.floor(index / perRow)));
    next += rowCount;
  }
  return row;
}

// An edge over several rows gets a bend in each, so that it finds a way between the boxes.
function withBends(nodes, edges, row) {
  const rows = Array.from({ length: Math.max(...row.values()) + 1 }, () => []);
  for (const node of nodes) rows[row.get(node.id)].push({ ...node });
  const chains = edges.map((edge, index) => {
    const from = row.get(edge.source);
    const to = row.get(edge.target);
    const step = Math.sign(to - from);
    const chain = [edge.source];
    for (let at = from + step; step && at !== to; at += step) {
      const bend = { id: `bend ${index} ${at}`, width: SPACE.bend, height: 0, isBend: true };
      row.set(bend.id, at);
      rows[at].push(bend);
      chain.push(bend.id);
    }
    return [...chain, edge.target];
  });
  return { rows, chains };
}

function linksOf(chains, row) {
  const links = new Map();
  const link = (from, to, side) => {
    if (!links.has(from)) links.set(from, { below: [], above: [] });
    links.get(from)[side].push(to);
  };
  for (const chain of chains) {
    for (let index = 1; index < chain.length; index += 1) {
      const [one, other] = [chain[index - 1], chain[index]];
      if (row.get(one) === row.get(other)) continue;
      const [low, high] = row.get(one) < row.get(other) ? [one, other] : [other, one];
      link(low, high, "above");
      link(high, low, "below");
    }
  }
  return links;
}

function sortRows(rows, links, isUpward) {
  const position = new Map(rows.flatMap((items) => items.map((item, index) => [item.id, index])));
  const order = isUpward ? rows.keys() : [...rows.keys()].reverse();
  const side = isUpward ? "below" : "above";
  for (const index of order) {
    const centre = new Map(
      rows[index].map((item) => [item.id, mean((links.get(item.id)?.[side] ?? []).map((id) => position.get(id)))]),
    );
    const key = (item) => centre.get(item.id) ?? position.get(item.id);
    rows[index].sort((one, other) => key(one) - key(other));
    rows[index].forEach((item, at) => position.set(item.id, at));
  }
}

function placeRows(rows, links) {
  const items = new Map(rows.flat().map((item) => [item.id, item]));
  for (const row of rows) {
    row.forEach((item) => (item.x = 0));
    settle(row, () => 0);
  }
  for (let pass = 0; pass < 10; pass += 1) {
    const order = pass % 2 ? [...rows].reverse() : rows;
    for (const row of order) {
      settle(row, (item) => {
        const { below, above } = links.get(item.id) ?? { below: [], above: [] };
        const side = pass > 7 ? [...below, ...above] : pass % 2 ? above : below;
        return mean(side.map((id) => items.get(id).x)) ?? item.x;
      });
    }
  }
}

// Nearest to the wishes, in order and without overlap: exact least squares.
function settle(row, wish) {
  const blocks = [];
  let offset = 0;
  row.forEach((item, index) => {
    if (index) offset += (row[index - 1].width + item.width) / 2 + SPACE.between;
    item.offset = offset;
    const weight = item.isBend ? 3 : 1;
    blocks.push({ sum: weight * (wish(item) - offset), weight, items: [item] });
    while (blocks.length > 1) {
      const [before, last] = blocks.slice(-2);
      if (before.sum / before.weight <= last.sum / last.weight) break;
      blocks.splice(-2, 2, {
        sum: before.sum + last.sum,
        weight: before.weight + last.weight,
        items: [...before.items, ...last.items],
      });
    }
  });
  for (const block of blocks) {
    for (const item of block.items) item.x = block.sum / block.weight + item.offset;
  }
}

function mean(numbers) {
  return numbers.length ? numbers.reduce((sum, number) => sum + number, 0) / numbers.length : undefined;
}
