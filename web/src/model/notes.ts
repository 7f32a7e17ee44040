/** What the transcript says beside the turns: replies that were put before a person, and verdicts as they are given. */
import type { FlagSummary, Verdict } from "../api/types";
import type { Past } from "./replay";

export interface FlagNote {
  flag: FlagSummary;
  /** Whether the words of the turn are those that were flagged; otherwise they were held back, or said otherwise. */
  isSaid: boolean;
}

/** A verdict, and how many moments there were when it was given. */
export interface Heard {
  verdict: Verdict;
  after: number;
}

export interface Notes {
  flags: readonly FlagNote[];
  verdicts: readonly Verdict[];
}

/** Give what is to be said under each place. Cost: the flags, and the moments after each of them until its words. */
export function notesOf(past: Past, flags: readonly FlagSummary[], heard: readonly Heard[]): Map<number, Notes> {
  const found = new Map<number, { flags: FlagNote[]; verdicts: Verdict[] }>();
  const at = (place: number) => {
    const notes = found.get(place) ?? { flags: [], verdicts: [] };
    found.set(place, notes);
    return notes;
  };
  for (const flag of flags) {
    const said = placeOfWords(past, flag);
    const last = past.places.get(flag.turn ?? "") ?? 1;
    at(said ?? last).flags.push({ flag, isSaid: said !== null });
  }
  for (const { verdict, after } of heard) at(placeOfVerdict(past, verdict, after)).verdicts.push(verdict);
  return found;
}

/** The flagged words are looked for in the turn before which they were judged, and in those after it. */
function placeOfWords(past: Past, { text, speaker, turn }: FlagSummary): number | null {
  const words = text.trim();
  if (!words) return null;
  const first = Math.max(0, (past.places.get(turn ?? "") ?? 1) - 1);
  const { moments } = past.history;
  for (let index = first; index < moments.length; index += 1) {
    const moment = moments[index];
    if (moment?.kind !== "turn" || moment.text.trim() !== words) continue;
    if (speaker === null || moment.speaker === speaker) return moment.place;
  }
  return null;
}

/** A reply is judged before it is said: its verdict goes to the turn that came next, if the same one spoke. */
function placeOfVerdict(past: Past, verdict: Verdict, after: number): number {
  const next = past.history.moments[after];
  const isTheirs = next?.kind === "turn" && verdict.speaker !== null && next.speaker === verdict.speaker;
  return isTheirs ? next.place : Math.max(1, after);
}

/** "premise lost, abandoned": reasons in words. */
export function reasonWords(reasons: readonly string[]): string {
  return reasons.map((reason) => reason.replaceAll("_", " ")).join(", ");
}
