// Elements, without a library.

const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

function byId(id) {
  return document.getElementById(id);
}

// Whatever carries data-claim or data-turn can be chosen, by pointer or by Enter and Space.
function listenForChoices(root, act) {
  const choose = (event) => {
    const target = event.target.closest("[data-claim], [data-turn], [data-cluster]");
    if (!target || !root.contains(target)) return;
    if (target.dataset.claim) act.select(target.dataset.claim);
    else if (target.dataset.cluster) act.unfold(target.dataset.cluster);
    else act.moveTo(Number(target.dataset.turn));
    event.preventDefault();
  };
  root.addEventListener("click", choose);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") choose(event);
  });
}

function claimLink(record, id, view, options = {}) {
  const bare = id.replace(/^~/, "");
  const proposition = record.propositions.get(bare);
  if (!proposition) return element("span", { class: "unknown" }, id);
  const grade = gradeAt(record, bare, view.turn);
  const words = options.text === false ? "" : (options.text ?? proposition.text);
  return element(
    "span",
    {
      class: `claim is-${grade.name}`,
      role: "button",
      tabindex: "0",
      "data-claim": bare,
      title: `${proposition.text} (${grade.word})`,
      "aria-description": grade.word,
    },
    element("span", { class: "mark", "aria-hidden": "true" }, grade.mark),
    element("span", { class: "id" }, id),
    words ? [" ", element("span", { class: "said" }, words)] : null,
  );
}

function turnLink(record, index, label) {
  const turn = record.turns[index];
  if (!turn) return element("span", {}, label ?? "");
  return element(
    "span",
    { class: "turn-link", role: "button", tabindex: "0", "data-turn": String(index), title: turn.text },
    label ?? turn.id,
  );
}
