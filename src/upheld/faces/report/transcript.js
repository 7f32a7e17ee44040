// The conversation as people know it, each claim in it underlined by how it stands at the chosen turn.

const VERBS = {
  observe: "reports",
  hypothesize: "proposes",
  support: "supports",
  undermine: "doubts",
  revise: "gives up",
  expand_awareness: "brings up",
  resolve: "settles",
  question: "asks",
};
const OUTCOMES = {
  grounded: { mark: "✓", word: "grounded" },
  ungrounded: { mark: "✗", word: "ungrounded" },
  abstain: { mark: "?", word: "could not be checked" },
};

// Turns are laid out as empty boxes and filled from the chosen one outwards, a chunk at a time, so that a long record
// can be read at once and is soon complete for the browser's own search and for print.
const FILL = { atOnce: 160, chunk: 80 };

function transcriptPart(record, act) {
  const list = byId("turns");
  const articles = record.turns.map((turn) => turnArticle(record, turn));
  list.append(...withSessions(record, articles));
  listenForChoices(list, act);
  const marks = [];
  const byClaim = new Map();
  const filled = new Set();
  let shown = { turn: -1, claim: null };
  const fill = (index, view) => {
    if (filled.has(index) || !articles[index]) return;
    filled.add(index);
    const article = articles[index];
    article.append(...turnContent(record, record.turns[index], index, view).flat().filter(Boolean));
    for (const node of article.querySelectorAll(".claim")) {
      const mark = { node, id: node.dataset.claim };
      node.classList.toggle("selected", mark.id === view.claim);
      marks.push(mark);
      byClaim.set(mark.id, [...(byClaim.get(mark.id) ?? []), mark]);
    }
  };
  const fillAround = (view, count) => {
    const before = Math.floor(count / 2);
    for (let index = view.turn - before; index < view.turn - before + count; index += 1) fill(index, view);
  };
  const rest = (view) => {
    let left = FILL.chunk;
    for (let index = 0; index < articles.length && left; index += 1) {
      if (filled.has(index)) continue;
      fill(index, view);
      left -= 1;
    }
    if (filled.size < articles.length) setTimeout(rest, 0, view);
  };
  window.addEventListener("beforeprint", () => articles.forEach((_, index) => fill(index, shown)));
  return {
    show(view) {
      const isFirst = shown.turn < 0;
      if (view.turn !== shown.turn) {
        regrade(record, marks, view.turn);
        markLater(articles, isFirst ? articles.length : shown.turn, view.turn);
        articles[shown.turn]?.removeAttribute("aria-current");
        articles[view.turn]?.setAttribute("aria-current", "step");
      }
      if (view.claim !== shown.claim) {
        for (const { node } of byClaim.get(shown.claim) ?? []) node.classList.remove("selected");
        for (const { node } of byClaim.get(view.claim) ?? []) node.classList.add("selected");
      }
      const isMoved = view.turn !== shown.turn && view.by !== "pointer";
      shown = { turn: view.turn, claim: view.claim };
      fillAround(view, isFirst ? FILL.atOnce * 2 : 12);
      if (isFirst) rest(view);
      if (isMoved) bringIntoView(articles[view.turn], isFirst ? "center" : "nearest");
    },
  };
}

function withSessions(record, articles) {
  if (!articles.length) return [element("p", { class: "empty" }, "Nothing was said yet.")];
  return articles.flatMap((article, index) => {
    const session = record.turns[index].session;
    const isNew = session && session !== record.turns[index - 1]?.session;
    return isNew ? [element("h2", { class: "session" }, session), article] : [article];
  });
}

function markLater(articles, before, now) {
  const [low, high] = before < now ? [before, now] : [now, before];
  for (let index = Math.max(low, 0); index <= Math.min(high, articles.length - 1); index += 1) {
    articles[index].classList.toggle("later", index > now);
  }
}

// Turns out of sight have a guessed height until they are drawn, so the first jump lands near and the next ones exactly.
function bringIntoView(article, block, tries = 4) {
  if (!article) return;
  article.scrollIntoView({ block });
  if (tries) requestAnimationFrame(() => bringIntoView(article, block, tries - 1));
}

// Only what differs is touched: 5,000 marks at most, a handful of which change from one turn to the next.
function regrade(record, marks, turn) {
  for (const mark of marks) {
    const grade = gradeAt(record, mark.id, turn);
    if (grade.word === mark.node.getAttribute("aria-description")) continue;
    const kept = [...mark.node.classList].filter((name) => !name.startsWith("is-"));
    mark.node.className = [...kept, `is-${grade.name}`].join(" ");
    mark.node.setAttribute("aria-description", grade.word);
    mark.node.title = `${record.propositions.get(mark.id)?.text ?? ""} (${grade.word})`;
    const sign = mark.node.querySelector(".mark");
    if (sign) sign.textContent = grade.mark;
  }
}

function turnArticle(record, turn) {
  const kind = record.names.get(turn.speaker)?.kind ?? "person";
  return element("article", { class: `turn by-${kind}`, id: `turn-${turn.id}` });
}

function turnContent(record, turn, index, view) {
  const agent = record.names.get(turn.speaker);
  const verdicts = record.verdicts.get(index) ?? [];
  const own = verdicts.find((verdict) => verdict.text.trim() === turn.text.trim());
  return [
    element(
      "header",
      {},
      element("b", { title: agent?.role }, speakerOf(record, turn.speaker)),
      agent && agent.kind !== "person" ? element("span", { class: "kind" }, agent.kind) : null,
      turnLink(record, index),
      turn.at ? element("time", { datetime: turn.at }, shortTime(turn.at)) : null,
      own ? badge(own) : null,
    ),
    element("p", { class: "words" }, own ? spans(own, own.text) : turn.text),
    own ? reasonLine(record, own, view) : null,
    actList(record, turn, view),
    turn.findings.map((finding) => element("p", { class: "finding" }, finding)),
    verdicts.filter((verdict) => verdict !== own).map((verdict) => replyCard(record, verdict, view)),
  ];
}

function shortTime(at) {
  return at.replace("T", " ").replace(/(\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/, "$1");
}

function actList(record, turn, view) {
  if (!turn.operations.length) return null;
  return element("ul", { class: "acts" }, turn.operations.map((operation) => actRow(record, operation, view)));
}

function actRow(record, operation, view) {
  const id = operation.id ?? operation.target ?? "";
  const known = record.propositions.has(id.replace(/^~/, ""));
  const grounds = [...(operation.depends_on ?? []), ...(operation.evidence ?? []), ...(operation.because ?? [])];
  const target = operation.id && operation.target ? claimLink(record, operation.target, view, { text: false }) : null;
  const replacement = operation.replacement ?? "";
  return element(
    "li",
    {},
    element("span", { class: "verb" }, VERBS[operation.op] ?? operation.op),
    element(
      "div",
      {},
      known ? claimLink(record, id, view) : element("span", { class: "plain" }, operation.text ?? id),
      target ? aside("on ", [target]) : null,
      replacement ? aside("for ", [claimLink(record, replacement, view, { text: false })]) : null,
      grounds.length ? aside("because of ", grounds.map((one) => claimLink(record, one, view, { text: false }))) : null,
    ),
  );
}

function aside(word, links) {
  return element("span", { class: "aside" }, word, links.flatMap((link, index) => (index ? [" ", link] : [link])));
}

function badge(verdict) {
  const { mark, word } = OUTCOMES[verdict.outcome];
  const reason = verdict.reason ? `: ${verdict.reason.replaceAll("_", " ")}` : "";
  return element("span", { class: `badge is-${verdict.outcome}` }, `${mark} ${word}${reason}`);
}

function reasonLine(record, verdict, view) {
  if (!verdict.summary && !verdict.because.length) return null;
  const because = verdict.because.map((id) => claimLink(record, id, view, { text: false }));
  return element(
    "p",
    { class: "reason" },
    verdict.summary,
    because.length ? aside(verdict.summary ? " see " : "see ", because) : null,
  );
}

function replyCard(record, verdict, view) {
  return element(
    "section",
    { class: "reply", "aria-label": "Checked reply" },
    element("header", {}, element("span", { class: "kind" }, "reply checked"), badge(verdict)),
    element("p", { class: "words" }, spans(verdict, verdict.text)),
    reasonLine(record, verdict, view),
  );
}

// Spans count characters, a script counts UTF-16 units: beyond the basic plane the two differ.
function spans(verdict, text) {
  const characters = Array.from(text);
  const pieces = [];
  let at = 0;
  for (const claim of [...verdict.claims].sort((one, other) => one.start - other.start)) {
    const end = Math.min(claim.end, characters.length);
    if (claim.start < at || end <= claim.start) continue;
    pieces.push(characters.slice(at, claim.start).join(""));
    pieces.push(spanOf(claim, characters.slice(claim.start, end).join("")));
    at = end;
  }
  pieces.push(characters.slice(at).join(""));
  return pieces;
}

function spanOf(claim, words) {
  const { mark, word } = OUTCOMES[claim.outcome];
  const matched = claim.literals[0]?.replace(/^~/, "");
  const reason = claim.reason ? `, ${claim.reason.replaceAll("_", " ")}` : "";
  return element(
    "span",
    {
      class: `checked is-${claim.outcome}`,
      role: matched ? "button" : undefined,
      tabindex: matched ? "0" : undefined,
      "data-claim": matched,
      title: `${claim.text || words}: ${word}${reason}${claim.literals.length ? ` (${claim.literals.join(", ")})` : ""}`,
    },
    words,
    element("sup", {}, mark),
  );
}
