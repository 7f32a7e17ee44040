/** What a supposed change would do to each claim, in two words. */
import type { Delta } from "../api/types";

export type Supposed = "falls" | "thinner" | "back";

export function effectsOf(delta: Delta): ReadonlyMap<string, Supposed> {
  const found = new Map<string, Supposed>();
  for (const { id } of delta.thinned) found.set(id, "thinner");
  for (const { id } of delta.lost) found.set(id, "falls");
  for (const id of [...delta.defeated, ...delta.explained_by]) found.set(id, "falls");
  for (const id of [...delta.reinstated, ...delta.reopened, ...delta.activated]) found.set(id, "back");
  return found;
}

export const SUPPOSED_WORDS: Readonly<Record<Supposed, string>> = {
  falls: "would fall",
  thinner: "would lose one of its grounds",
  back: "would come back",
};

export const SUPPOSED_SIGNS: Readonly<Record<Supposed, string>> = { falls: "▼", thinner: "▿", back: "▲" };
