// The selection in words: how it stands, what was done with it, why, and what rests on it.

const PANEL_LIST = 40;
const ENDING = new Set(["attack", "supersession"]);

function panelPart(record, act) {
  const panel = byId("panel");
  listenForChoices(panel, act);
  let shown = "";
  return {
    show(view) {
      const key = `${view.turn} ${view.claim}`;
      if (key === shown) return;
      shown = key;
      const hadFocus = panel.contains(document.activeElement);
      panel.replaceChildren(...(view.claim ? claimPanel(record, view, act) : turnPanel(record, view)));
      panel.scrollTop = 0;
      if (hadFocus) panel.focus();
    },
  };
}

function claimPanel(record, view, act) {
  const { claim: id, turn } = view;
  const proposition = record.propositions.get(id);
  const grade = gradeAt(record, id, turn);
  const isUp = doesHold(record, id, turn);
  const close = element("button", { type: "button", class: "close", "aria-label": "Clear the selection (Esc)" }, "×");
  close.addEventListener("click", () => act.clear());
  return [
    element("header", {}, element("span", { class: "id" }, id), element("span", { class: "kind" }, proposition.kind), close),
    element("p", { class: `text is-${grade.name}` }, proposition.text),
    element(
      "p",
      { class: `standing is-${grade.name}` },
      element("span", { class: "mark", "aria-hidden": "true" }, grade.mark),
      ` ${grade.word}`,
      element("span", { class: "quiet" }, ` as of ${turnName(record, turn)}`),
    ),
    element(
      "p",
      { class: "quiet" },
      `${speakerOf(record, proposition.speaker)} at `,
      turnLink(record, proposition.place),
    ),
    section("Why it does not stand", isUp ? null : whyNot(record, view)),
    section(isUp ? "Why it stands" : "What it rests on", whyTree(record, view)),
    ...relations(record, view),
    section("Rests on it", claimList(record, view, restingOn(record, id, turn), "Nothing so far.")),
    section("What was done with it", lifeList(record, id, turn)),
    section("Replies that used it", verdictList(record, id)),
  ].filter(Boolean);
}

function section(title, ...content) {
  const shown = content.flat().filter(Boolean);
  return shown.length ? element("section", {}, element("h3", {}, title), shown) : null;
}

function whyTree(record, view) {
  const lines = whyAt(record, view.claim, view.turn);
  if (lines.length < 2) return element("p", { class: "quiet" }, "It rests on nothing else that was said.");
  return element("ol", { class: "why" }, lines.slice(1).map((line) => groundRow(record, view, line)));
}

// What speaks against it with its evidence, what replaced it, and which of its own grounds no longer hold.
function whyNot(record, view) {
  const { turn } = view;
  const into = edgesInto(record, view.claim, turn);
  const enders = into.filter((edge) => ENDING.has(edge.kind) && doesHold(record, edge.source, turn));
  const lost = into.filter((edge) => edge.carries && !doesHold(record, edge.source, turn));
  const rows = [
    ...[...new Set(enders.map((edge) => edge.source))].flatMap((id) => [
      { id, depth: 1 },
      ...edgesInto(record, id, turn).filter((edge) => edge.carries).map((edge) => ({ id: edge.source, depth: 2 })),
    ]),
    ...lost.map((edge) => ({ id: edge.source, depth: 1, note: "no longer holds" })),
  ];
  if (!rows.length) return null;
  const seen = new Set();
  for (const row of rows) {
    if (seen.has(row.id)) row.text = false;
    seen.add(row.id);
  }
  return element("ol", { class: "why" }, rows.map((row) => groundRow(record, view, row)));
}

function groundRow(record, view, { id, depth, text, note }) {
  const place = record.propositions.get(id.replace(/^~/, ""))?.place;
  return element(
    "li",
    { class: `depth-${Math.min(depth, 6)}` },
    claimLink(record, id, view, { text }),
    place === undefined ? null : element("span", { class: "where" }, turnLink(record, place)),
    note ? element("span", { class: "where" }, note) : null,
  );
}

function relations(record, view) {
  const isUp = doesHold(record, view.claim, view.turn);
  const isTold = (edge) => !isUp && ENDING.has(edge.kind) && doesHold(record, edge.source, view.turn);
  const into = edgesInto(record, view.claim, view.turn).filter((edge) => !isTold(edge));
  const from = edgesFrom(record, view.claim, view.turn);
  const ends = (edges, kind, end) => [...new Set(edges.filter((edge) => edge.kind === kind).map((edge) => edge[end]))];
  const rows = [
    ["Spoken against by", ends(into, "attack", "source")],
    ["Replaced by", ends(into, "supersession", "source")],
    ["Explained by", ends(into, "explanation", "source")],
    ["Speaks against", ends(from, "attack", "target")],
    ["Replaces", ends(from, "supersession", "target")],
    ["Explains", ends(from, "explanation", "target")],
  ];
  return rows.filter(([, ids]) => ids.length).map(([title, ids]) => section(title, claimList(record, view, ids, "")));
}

function claimList(record, view, ids, none) {
  if (!ids.length) return none ? element("p", { class: "quiet" }, none) : null;
  const rows = ids.slice(0, PANEL_LIST).map((id) => element("li", {}, claimLink(record, id, view)));
  if (ids.length > PANEL_LIST) rows.push(element("li", { class: "quiet" }, `… ${ids.length - PANEL_LIST} more`));
  return element("ul", { class: "claims" }, rows);
}

function lifeList(record, id, turn) {
  const { kind } = record.propositions.get(id);
  const rows = [];
  let before = "";
  for (const state of record.history.get(id) ?? []) {
    const grade = gradeOf(state, kind);
    if (grade.word === before) continue;
    before = grade.word;
    rows.push(
      element(
        "li",
        { class: state.place > turn ? "later" : "" },
        turnLink(record, state.place),
        element("span", { class: `standing is-${grade.name}` }, `${grade.mark} ${grade.word}`),
        element("span", { class: "quiet" }, `by ${speakerOf(record, record.turns[state.place]?.speaker ?? "")}`),
      ),
    );
  }
  return rows.length ? element("ol", { class: "life" }, rows) : null;
}

function verdictList(record, id) {
  const rows = record.citing.get(id) ?? [];
  if (!rows.length) return null;
  return element(
    "ul",
    { class: "claims" },
    rows.slice(0, PANEL_LIST).map((verdict) =>
      element(
        "li",
        {},
        turnLink(record, record.places.get(verdict.turn)),
        " ",
        badge(verdict),
        element("div", { class: "quiet" }, verdict.text),
      ),
    ),
  );
}

function turnPanel(record, view) {
  const turn = record.turns[view.turn];
  if (!turn) return [element("p", { class: "quiet" }, "Nothing was said yet.")];
  const { fell = [], back = [], settled = [] } = record.events.get(view.turn) ?? {};
  const said = (record.saidAt.get(view.turn) ?? []).map((one) => one.id);
  return [
    element("header", {}, element("span", { class: "id" }, turn.id), element("span", { class: "kind" }, speakerOf(record, turn.speaker))),
    element("p", { class: "quiet" }, "Choose a claim to see why it stands or fell, and what rests on it."),
    fell.length ? section("Fell here", claimList(record, view, fell, "")) : null,
    back.length ? section("Came back here", claimList(record, view, back, "")) : null,
    settled.length ? section("Settled here", claimList(record, view, settled, "")) : null,
    said.length ? section("Said here", claimList(record, view, said, "")) : null,
  ].filter(Boolean);
}
