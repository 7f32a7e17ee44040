// One view, four parts that show it, and an address that can be passed on: #turn=T9&claim=h2&all

function openReport() {
  const record = readRecord(JSON.parse(byId("report-data").textContent));
  record.citing = citingVerdicts(record);
  const view = { turn: Math.max(record.turns.length - 1, 0), claim: null, all: false, unfolded: new Set(), by: "" };
  const parts = {};
  const act = actions(record, view, parts);
  Object.assign(view, viewOf(record, location.hash));
  parts.transcript = transcriptPart(record, act);
  parts.graph = graphPart(record, act);
  parts.panel = panelPart(record, act);
  parts.timeline = timelinePart(record, act);
  byId("counts").textContent = countsOf(record);
  searchBox(record, act);
  helpDialog();
  tabBar(parts);
  listenForKeys(record, view, act, parts);
  window.addEventListener("hashchange", () => act.change(viewOf(record, location.hash)));
  window.addEventListener("resize", () => parts.graph.refit());
  act.change({});
}

function actions(record, view, parts) {
  let frame = 0;
  let later = 0;
  const draw = () => {
    frame = 0;
    for (const one of Object.values(parts)) one.show(view);
    // Browsers refuse an address that is rewritten many times a second.
    clearTimeout(later);
    later = setTimeout(writeAddress, 200, record, view);
  };
  // A dragged slider may ask more often than the screen is drawn: only the last wish of a frame is met.
  const change = (part) => {
    Object.assign(view, { by: "" }, part);
    if (view.by !== "slider") draw();
    else frame ||= requestAnimationFrame(draw);
  };
  return {
    change,
    select(id) {
      const proposition = record.propositions.get(id);
      if (!proposition) return;
      const isLater = proposition.place > view.turn;
      change({ claim: id, unfolded: new Set(), turn: isLater ? proposition.place : view.turn, by: "pointer" });
      if (matchMedia("(max-width: 800px)").matches && document.body.dataset.tab === "conversation") showTab("claim", parts);
    },
    moveTo(turn, by = "link") {
      if (by !== "play") parts.timeline.stop();
      change({ turn: Math.min(Math.max(turn, 0), Math.max(record.turns.length - 1, 0)), by });
    },
    unfold: (key) => change({ unfolded: new Set([...view.unfolded, key]), by: "pointer" }),
    toggleAll: () => change({ all: !view.all, by: "pointer" }),
    clear: () => change({ claim: null, unfolded: new Set(), all: false, by: "pointer" }),
  };
}

function viewOf(record, hash) {
  const asked = new URLSearchParams(hash.slice(1));
  const turn = record.places.get(asked.get("turn") ?? "");
  const claim = asked.get("claim");
  return {
    turn: turn ?? Math.max(record.turns.length - 1, 0),
    claim: record.propositions.has(claim) ? claim : null,
    all: asked.has("all"),
  };
}

function writeAddress(record, view) {
  const asked = new URLSearchParams();
  asked.set("turn", turnName(record, view.turn));
  if (view.claim) asked.set("claim", view.claim);
  const address = `#${asked}${view.all ? "&all" : ""}`;
  if (address !== location.hash) history.replaceState(null, "", address);
}

function citingVerdicts(record) {
  const pairs = [...record.verdicts.values()].flat().flatMap((verdict) => {
    const ids = verdict.claims.flatMap((claim) => claim.literals.map((one) => one.replace(/^~/, "")));
    return [...new Set(ids)].map((id) => ({ id, verdict }));
  });
  return new Map([...grouped(pairs, (pair) => pair.id)].map(([id, group]) => [id, group.map((pair) => pair.verdict)]));
}

function countsOf(record) {
  const verdicts = [...record.verdicts.values()].flat();
  const counted = (outcome) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const parts = [`${record.turns.length} turns`, `${record.propositions.size} claims`];
  if (verdicts.length) {
    parts.push(`${verdicts.length} replies checked: ${counted("grounded")} grounded, ${counted("ungrounded")} ungrounded`);
    if (counted("abstain")) parts.push(`${counted("abstain")} could not be checked`);
  }
  return parts.join(" · ");
}

function searchBox(record, act) {
  const query = byId("query");
  const found = byId("found");
  const close = () => {
    found.hidden = true;
    query.setAttribute("aria-expanded", "false");
  };
  const options = () => [...found.querySelectorAll("[role=option]")];
  const mark = (step) => {
    const all = options();
    const at = all.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const next = all[(at + step + all.length) % all.length];
    all.forEach((one) => one.setAttribute("aria-selected", String(one === next)));
    query.setAttribute("aria-activedescendant", next?.id ?? "");
    next?.scrollIntoView({ block: "nearest" });
  };
  const take = (option) => {
    if (!option) return;
    close();
    query.blur();
    if (option.dataset.claim) act.select(option.dataset.claim);
    else act.moveTo(Number(option.dataset.turn));
  };
  query.addEventListener("input", () => {
    const hits = matches(record, query.value);
    found.replaceChildren(...(hits.length ? hits : [element("li", { class: "quiet" }, "Nothing found.")]));
    found.hidden = !query.value.trim();
    query.setAttribute("aria-expanded", String(!found.hidden));
    if (hits.length) mark(1);
  });
  query.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") mark(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter") take(options().find((one) => one.getAttribute("aria-selected") === "true"));
    else if (event.key === "Escape") [close(), query.blur()];
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  found.addEventListener("pointerdown", (event) => event.preventDefault());
  found.addEventListener("click", (event) => take(event.target.closest("[role=option]")));
  query.addEventListener("blur", close);
}

function matches(record, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const fits = (...fields) => words.every((word) => fields.join(" ").toLowerCase().includes(word));
  const hits = [];
  const add = (attributes, ...content) =>
    hits.push(element("li", { role: "option", id: `hit-${hits.length}`, "aria-selected": "false", ...attributes }, ...content));
  for (const one of record.propositions.values()) {
    if (hits.length >= 8) break;
    if (fits(one.id, one.text)) add({ "data-claim": one.id }, element("span", { class: "id" }, one.id), ` ${one.text}`);
  }
  for (const [index, turn] of record.turns.entries()) {
    if (hits.length >= 14) break;
    const speaker = speakerOf(record, turn.speaker);
    if (fits(turn.id, speaker, turn.text)) {
      add({ "data-turn": String(index) }, element("span", { class: "id" }, turn.id), ` ${speaker}: ${turn.text}`);
    }
  }
  return hits;
}

const KEYS = [
  ["← →", "turn before, turn after"],
  ["Home End", "first turn, last turn"],
  ["p", "play, stop"],
  ["a", "the whole graph, or the neighbourhood"],
  ["/", "find a claim or a turn"],
  ["Esc", "clear the selection"],
  ["?", "this list"],
];

function helpDialog() {
  const dialog = byId("help");
  const signs = [...grouped(Object.values(GRADES), (grade) => grade.name).values()];
  const close = element("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => dialog.close());
  dialog.append(
    close,
    element("h2", {}, "Keys"),
    element("dl", {}, KEYS.flatMap(([key, words]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)])),
    element("h2", {}, "Signs"),
    element("ul", { class: "signs" }, signs.map(signRow)),
  );
  const ticks = Object.entries(TICKS).map(([what, sign]) => `${sign} ${TICK_WORDS[what]}`);
  dialog.append(element("h2", {}, "Ticks"), element("p", {}, `In a turn a claim or a reply: ${ticks.join(", ")}.`));
  byId("help-open").addEventListener("click", () => dialog.showModal());
}

function signRow(grades) {
  const { name, mark } = grades[0];
  const words = grades.map((grade) => grade.word).join(" · ");
  return element("li", { class: `is-${name}` }, element("span", { class: "mark" }, mark), " ", element("span", { class: "said" }, words));
}

function tabBar(parts) {
  for (const button of document.querySelectorAll(".tabs button")) {
    button.addEventListener("click", () => showTab(button.dataset.tab, parts));
  }
}

function showTab(tab, parts) {
  document.body.dataset.tab = tab;
  for (const button of document.querySelectorAll(".tabs button")) {
    button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
  }
  if (tab === "graph") parts.graph.refit();
}

function listenForKeys(record, view, act, parts) {
  const keys = {
    ArrowLeft: () => act.moveTo(view.turn - 1, "key"),
    ArrowRight: () => act.moveTo(view.turn + 1, "key"),
    Home: () => act.moveTo(0, "key"),
    End: () => act.moveTo(record.turns.length - 1, "key"),
    Escape: () => act.clear(),
    "/": () => byId("query").focus(),
    a: () => act.toggleAll(),
    p: () => parts.timeline.toggle(),
    "?": () => byId("help").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input[type=search], dialog[open]");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
}
