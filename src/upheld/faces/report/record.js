// The record as the page reads it: every answer is "as of a turn", derived from the changes and never stored.

const GRADES = {
  in: { name: "in", mark: "●", word: "stands" },
  settled: { name: "in", mark: "●", word: "settled, stands" },
  live: { name: "live", mark: "◌", word: "live hypothesis" },
  weakened: { name: "weakened", mark: "◐", word: "weakened" },
  fell: { name: "fell", mark: "▽", word: "fell: no ground left, or defeated" },
  again: { name: "fell", mark: "▽", word: "settled, but lost its ground: look again" },
  open: { name: "open", mark: "○", word: "undecided" },
  reopened: { name: "open", mark: "○", word: "reopened: the reason against it fell" },
  abandoned: { name: "gone", mark: "✕", word: "given up" },
  superseded: { name: "gone", mark: "✕", word: "replaced" },
  retracted: { name: "gone", mark: "✕", word: "taken back" },
  unsaid: { name: "unsaid", mark: "·", word: "not said yet" },
};
const LET_GO = new Set(["abandoned", "superseded", "retracted"]);
const TENTATIVE = new Set(["hypothesis", "position"]);
const CARRYING = new Set(["premise", "corroboration"]);

function readRecord(report) {
  const places = new Map(report.turns.map((turn, index) => [turn.id, index]));
  const place = (id) => places.get(id) ?? 0;
  const propositions = new Map(
    Object.entries(report.propositions).map(([id, one]) => [id, { ...one, id, place: place(one.turn) }]),
  );
  const edges = report.edges
    .filter((edge) => propositions.has(edge.source) && propositions.has(edge.target))
    .map((edge) => ({ ...edge, place: place(edge.turn), carries: CARRYING.has(edge.kind) }));
  const verdicts = grouped(report.verdicts, (verdict) => place(verdict.turn));
  return {
    ...report,
    places,
    propositions,
    edges,
    verdicts,
    names: new Map(report.agents.map((agent) => [agent.id, agent])),
    incoming: grouped(edges, (edge) => edge.target),
    outgoing: grouped(edges, (edge) => edge.source),
    saidAt: grouped([...propositions.values()], (one) => one.place),
    explanations: new Map(Object.entries(report.explanations)),
    ...readHistory(report.changes, place, propositions),
  };
}

function grouped(items, key) {
  const groups = new Map();
  for (const item of items) {
    const name = key(item);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(item);
  }
  return groups;
}

// history: id → its states in time; events: turn → what fell, came back and was settled there.
function readHistory(changes, place, propositions) {
  const history = new Map();
  const events = new Map();
  const note = (turn, what, id) => {
    if (!events.has(turn)) events.set(turn, { fell: [], back: [], settled: [] });
    events.get(turn)[what].push(id);
  };
  const inTime = [...changes].sort((one, other) => place(one.turn) - place(other.turn));
  for (const change of inTime) {
    const turn = place(change.turn);
    for (const [id, state] of Object.entries(change.states)) {
      if (!history.has(id)) history.set(id, []);
      const states = history.get(id);
      const before = states.at(-1);
      states.push({ ...state, place: turn });
      if (before && propositions.has(id)) {
        if (holds(before) && !holds(state)) note(turn, "fell", id);
        if (!holds(before) && holds(state)) note(turn, "back", id);
      }
      if (propositions.has(id) && state.lifecycle === "resolved" && before?.lifecycle !== "resolved") {
        note(turn, "settled", id);
      }
    }
  }
  return { history, events };
}

function holds(state) {
  return state.label === "in" && !LET_GO.has(state.lifecycle);
}

function stateAt(record, id, turn) {
  const states = record.history.get(id) ?? [];
  let low = 0;
  let high = states.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (states[middle].place <= turn) low = middle + 1;
    else high = middle;
  }
  return low ? states[low - 1] : null;
}

function gradeAt(record, id, turn) {
  const proposition = record.propositions.get(id);
  if (!proposition || proposition.place > turn) return GRADES.unsaid;
  const state = stateAt(record, id, turn);
  return state ? gradeOf(state, proposition.kind) : GRADES.unsaid;
}

function doesHold(record, id, turn) {
  return ["in", "live"].includes(gradeAt(record, id, turn).name);
}

function gradeOf(state, kind) {
  if (LET_GO.has(state.lifecycle)) {
    return state.lifecycle === "abandoned" && state.label === "undecided" ? GRADES.reopened : GRADES[state.lifecycle];
  }
  if (state.lifecycle === "weakened") return GRADES.weakened;
  if (state.lifecycle === "resolved") return state.label === "in" ? GRADES.settled : GRADES.again;
  if (state.label === "out") return GRADES.fell;
  if (state.label === "undecided") return GRADES.open;
  return TENTATIVE.has(kind) ? GRADES.live : GRADES.in;
}

function edgesInto(record, id, turn) {
  return (record.incoming.get(id) ?? []).filter((edge) => edge.place <= turn);
}

function edgesFrom(record, id, turn) {
  return (record.outgoing.get(id) ?? []).filter((edge) => edge.place <= turn);
}

// Why a claim stands: the engine's own explanation for the last turn, else what the edges said by then.
function whyAt(record, id, turn, limit = 60) {
  const told = record.explanations.get(id);
  if (told && turn === record.turns.length - 1) {
    return told.slice(0, limit).map((line) => ({ ...line, place: record.places.get(line.turn) }));
  }
  const lines = [];
  const unfolded = new Set();
  const stack = [{ id, depth: 0 }];
  while (stack.length && lines.length < limit) {
    const { id: top, depth } = stack.pop();
    const proposition = record.propositions.get(top);
    lines.push({ depth, id: top, text: proposition.text, turn: proposition.turn, place: proposition.place });
    if (unfolded.has(top)) continue;
    unfolded.add(top);
    const grounds = edgesInto(record, top, turn).filter((edge) => edge.carries);
    stack.push(...grounds.reverse().map((edge) => ({ id: edge.source, depth: depth + 1 })));
  }
  return lines;
}

// What rests on a claim, nearest first, over any number of steps.
function restingOn(record, id, turn) {
  const seen = new Set([id]);
  const queue = [id];
  for (let index = 0; index < queue.length; index += 1) {
    for (const edge of edgesFrom(record, queue[index], turn)) {
      if (edge.carries && !seen.has(edge.target)) {
        seen.add(edge.target);
        queue.push(edge.target);
      }
    }
  }
  return queue.slice(1);
}

function speakerOf(record, id) {
  return record.names.get(id)?.name || id;
}
