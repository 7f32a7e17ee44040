/** What happened at each place of the time bar. */
import type { Moment } from "../api/types";

export type TickKind = "fell" | "back" | "decided";

export interface Tick {
  place: number;
  kind: TickKind;
  ids: readonly string[];
}

export const TICK_WORDS: Readonly<Record<TickKind, string>> = {
  fell: "fell",
  back: "came back",
  decided: "was decided",
};

/** Ticks of a conversation in its order: where something fell, came back or was decided. */
export function ticksOf(moments: readonly Moment[]): Tick[] {
  return moments.flatMap((moment) => {
    const { place, effects } = moment;
    const fell = effects ? [...effects.given_up, ...effects.lost, ...effects.defeated] : [];
    const back = effects?.reinstated ?? [];
    const decided = moment.operations
      .filter(({ op }) => op === "resolve")
      .map(({ target, id }) => String(target ?? id));
    const found: Tick[] = [];
    if (fell.length > 0) found.push({ place, kind: "fell", ids: fell });
    if (back.length > 0) found.push({ place, kind: "back", ids: back });
    if (decided.length > 0) found.push({ place, kind: "decided", ids: decided });
    return found;
  });
}

/** The nearest tick before or after a place; null where there is none. */
export function nextTick(ticks: readonly Tick[], place: number, way: 1 | -1): number | null {
  const places = ticks.map((tick) => tick.place).filter((each) => (way > 0 ? each > place : each < place));
  if (places.length === 0) return null;
  return way > 0 ? Math.min(...places) : Math.max(...places);
}
