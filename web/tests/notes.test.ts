import { expect, test } from "vitest";
import type { FlagSummary, Verdict } from "../src/api/types";
import { notesOf, reasonWords } from "../src/model/notes";
import { pastOf } from "../src/model/replay";
import { freshIn } from "../src/queue/useQueue";
import { history, moment } from "./samples";

function flag(more: Partial<FlagSummary>): FlagSummary {
  return {
    conversation: "talk",
    id: "F1",
    version: 1,
    text: "The pump is off.",
    speaker: "bot",
    outcome: "ungrounded",
    reasons: [],
    line: "",
    status: "open",
    assignee: null,
    decided: null,
    flagged_at: "2026-01-01T00:00:01Z",
    turn: "T1",
    is_erased: false,
    ...more,
  };
}

const verdict: Verdict = {
  kind: "verdict",
  version: 5,
  speaker: "bot",
  outcome: "ungrounded",
  reasons: ["premise_lost"],
  claims: ["h1"],
};

const past = pastOf(
  history({
    moments: [
      moment(1),
      moment(2, { speaker: "ann", text: "The pump is off." }),
      moment(3, { speaker: "bot", text: "The pump is off. " }),
    ],
  }),
);

test("a flagged reply is marked where its speaker said it, at or after the turn that it was judged after", () => {
  const notes = notesOf(past, [flag({})], []);
  expect([...notes.keys()]).toEqual([3]);
  expect(notes.get(3)?.flags[0]?.isSaid).toBe(true);
  expect([...notesOf(past, [flag({ speaker: null })], []).keys()]).toEqual([2]);
});

test("one that was held back is marked after the last turn that was said before it", () => {
  const held = [flag({ text: "The moon is full.", turn: "T2" }), flag({ id: "F2", text: "", turn: null })];
  const notes = notesOf(past, held, []);
  expect([...notes].map(([place, { flags }]) => [place, flags[0]?.isSaid])).toEqual([
    [2, false],
    [1, false],
  ]);
});

test("a verdict goes to the turn that its speaker said next, and stays where it was given otherwise", () => {
  expect([...notesOf(past, [], [{ verdict, after: 2 }]).keys()]).toEqual([3]);
  expect([...notesOf(past, [], [{ verdict, after: 1 }]).keys()]).toEqual([1]);
  expect([...notesOf(past, [], [{ verdict, after: 3 }]).keys()]).toEqual([3]);
  expect(reasonWords(["premise_lost", "unknown"])).toBe("premise lost, unknown");
});

test("a flag that moved up since others were decided is not new", () => {
  const [old, older] = [flag({}), flag({ id: "F0", flagged_at: "2026-01-01T00:00:00Z" })];
  const fresh = flag({ id: "F2", flagged_at: "2026-01-01T00:00:02Z" });
  expect(freshIn([older], [old])).toBe(0);
  expect(freshIn([fresh, old], [old, older])).toBe(1);
  expect(freshIn([fresh, old], [])).toBe(2);
});
