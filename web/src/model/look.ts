/** The ways in which a claim is drawn, from its kind, its lifecycle and its standing together. */
import type { Changed, Kind } from "../api/types";
import { isAct } from "./graph";
import { standingAt, type Past } from "./replay";

export type Look = "stands" | "live" | "weakened" | "fell" | "given_up" | "unsaid";

const TENTATIVE: ReadonlySet<Kind> = new Set<Kind>(["hypothesis", "position"]);
const GIVEN_UP: ReadonlySet<string> = new Set(["abandoned", "superseded", "retracted"]);

/** What its holders did comes before what follows from it, as in the pictures that the library writes. */
export function lookOf(kind: Kind, standing: Changed | null): Look {
  if (standing === null) return "unsaid";
  if (GIVEN_UP.has(standing.lifecycle)) return "given_up";
  if (standing.lifecycle === "weakened") return "weakened";
  if (standing.standing !== "in") return "fell";
  if (TENTATIVE.has(kind) && standing.lifecycle !== "resolved") return "live";
  return "stands";
}

export function lookAt(past: Past, id: string, place: number): Look {
  const claim = past.claims.get(id);
  return claim ? lookOf(claim.kind, standingAt(past, id, place)) : "unsaid";
}

export const LOOK_WORDS: Readonly<Record<Look, string>> = {
  stands: "stands",
  live: "live, not settled",
  weakened: "weakened",
  fell: "without ground",
  given_up: "given up",
  unsaid: "not said yet",
};

/** A sign for each, so that no meaning hangs on colour or stroke alone. */
export const LOOK_SIGNS: Readonly<Record<Look, string>> = {
  stands: "●",
  live: "◌",
  weakened: "◔",
  fell: "▽",
  given_up: "✕",
  unsaid: "·",
};

export const LOOKS: readonly Look[] = ["stands", "live", "weakened", "fell", "given_up"];

/** How many claims look how at a place. */
export function countsAt(past: Past, place: number): Record<Look, number> {
  const counts: Record<Look, number> = { stands: 0, live: 0, weakened: 0, fell: 0, given_up: 0, unsaid: 0 };
  for (const claim of past.history.claims) {
    if (claim.place <= place && !isAct(claim)) counts[lookAt(past, claim.id, place)] += 1;
  }
  return counts;
}

/** Words for how a claim stands, for a panel or a screen reader. */
export function standingWords(kind: Kind, standing: Changed | null): string {
  if (standing === null) return "on the table, asserted by nobody";
  const look = LOOK_WORDS[lookOf(kind, standing)];
  const again = standing.needs_reevaluation ? ", to be looked at again" : "";
  return `${look} (${standing.lifecycle}; ${standing.standing})${again}`;
}
