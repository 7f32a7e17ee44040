// Time: a slider over turns, with a tick where something fell, came back or was settled, or a reply was flagged.

const TICKS = { fell: "▾", back: "▴", settled: "◆", flagged: "✗" };
const TICK_WORDS = { fell: "fell", back: "came back", settled: "settled", flagged: "flagged as ungrounded" };
const PLAY_STEP = 900;
const TICK_PLACES = 160;

function timelinePart(record, act) {
  const slider = byId("slider");
  const last = Math.max(record.turns.length - 1, 0);
  slider.max = String(last);
  slider.addEventListener("input", () => act.moveTo(Number(slider.value), "slider"));
  byId("ticks").append(...tickMarks(record, last));
  listenForChoices(byId("ticks"), act);
  const player = playerOn(slider, last, act);
  byId("play").addEventListener("click", () => player.toggle());
  return {
    show(view) {
      const turn = record.turns[view.turn];
      slider.value = String(view.turn);
      slider.setAttribute("aria-valuetext", turn ? `${turn.id}, ${speakerOf(record, turn.speaker)}` : "");
      byId("now").textContent = turn ? `${turn.id} of ${record.turns.length} · ${speakerOf(record, turn.speaker)}` : "no turns";
    },
    toggle: () => player.toggle(),
    stop: () => player.stop(),
  };
}

// Ticks that would fall on the same few pixels are one tick.
function tickMarks(record, last) {
  const places = new Map();
  const add = (turn, what, ids) => {
    if (!ids.length) return;
    const place = last ? Math.round((turn / last) * TICK_PLACES) : 0;
    const key = `${place} ${what}`;
    if (!places.has(key)) places.set(key, { what, turn, words: [] });
    places.get(key).words.push(`${turnName(record, turn)}: ${ids.join(", ")} ${TICK_WORDS[what]}`);
  };
  for (const [turn, events] of record.events) {
    for (const what of ["fell", "back", "settled"]) add(turn, what, events[what]);
  }
  for (const [turn, verdicts] of record.verdicts) {
    add(turn, "flagged", verdicts.filter((one) => one.outcome === "ungrounded").slice(0, 1).map(() => "reply"));
  }
  return [...places.values()].map(({ what, turn, words }) => {
    const tick = element("span", { class: `tick ${what}`, title: words.slice(0, 6).join("\n"), "data-turn": String(turn) }, TICKS[what]);
    tick.style.setProperty("--at", String(last ? turn / last : 0));
    return tick;
  });
}

function playerOn(slider, last, act) {
  let timer = 0;
  const button = byId("play");
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "▶";
    button.setAttribute("aria-pressed", "false");
  };
  const step = () => {
    if (Number(slider.value) >= last) stop();
    else act.moveTo(Number(slider.value) + 1, "play");
  };
  const start = () => {
    if (Number(slider.value) >= last) act.moveTo(0, "play");
    timer = setInterval(step, PLAY_STEP);
    button.textContent = "❚❚";
    button.setAttribute("aria-pressed", "true");
  };
  return { stop, toggle: () => (timer ? stop() : start()) };
}
