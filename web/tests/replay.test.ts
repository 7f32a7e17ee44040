import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Changed } from "../src/api/types";
import { countsAt, lookAt } from "../src/model/look";
import { claimsAt, extended, isDrawn, pastOf, standingAt, turnAt } from "../src/model/replay";
import { change, claim, edge, GARDEN, history, moment } from "./samples";

describe("a past that is walked through", () => {
  test("shows a claim as it stood at each place", () => {
    const past = pastOf(GARDEN);
    expect([0, 1, 3, 4].map((place) => lookAt(past, "h1", place))).toEqual(["unsaid", "unsaid", "live", "fell"]);
    expect(lookAt(past, "o1", 4)).toBe("given_up");
    expect(claimsAt(past, 2).map(({ id }) => id)).toEqual(["o1", "o2"]);
  });

  test("counts claims as the service does, and no acts that carry an attack", () => {
    const past = pastOf({
      ...GARDEN,
      claims: [...GARDEN.claims, claim("T4#2", 4)],
      changes: [...GARDEN.changes, change("T4#2", 4)],
    });
    expect(countsAt(past, 3)).toMatchObject({ stands: 2, live: 1, fell: 0, given_up: 0 });
    expect(countsAt(past, 4)).toMatchObject({ stands: 1, live: 0, fell: 1, given_up: 1 });
  });

  test("finds by halving what replaying every change finds", () => {
    const changes = fc.array(fc.record({ place: fc.nat(30), claim: fc.constantFrom("a", "b"), mark: fc.nat() }));
    fc.assert(
      fc.property(changes, fc.nat(31), (told, place) => {
        const log: Changed[] = told
          .sort((x, y) => x.place - y.place)
          .map((each) => change(each.claim, each.place, { standing: each.mark % 2 ? "in" : "out" }));
        const past = pastOf(history({ changes: log }));
        for (const id of ["a", "b"]) {
          const slow = log.filter((each) => each.claim === id && each.place <= place).at(-1) ?? null;
          expect(standingAt(past, id, place)).toEqual(slow);
        }
      }),
    );
  });

  test("is the same whether it came at once or in two parts", () => {
    const first = history({
      moments: GARDEN.moments.slice(0, 3),
      claims: GARDEN.claims,
      edges: GARDEN.edges,
      changes: GARDEN.changes.slice(0, 3),
    });
    const later = {
      ...GARDEN,
      moments: GARDEN.moments.slice(3),
      claims: [],
      edges: [],
      changes: GARDEN.changes.slice(3),
    };
    expect(extended(first, later)).toEqual(GARDEN);
  });

  test("takes an edge that is told again for the same edge", () => {
    const first = history({ moments: [moment(1), moment(2)], edges: [edge("a", "b", 1, { group: "g" })] });
    const later = history({
      moments: [moment(3)],
      place: 3,
      version: 9,
      edges: [edge("a", "b", 1, { group: "g", ended: 3 })],
    });
    const found = extended(first, later).edges;
    expect(found).toHaveLength(1);
    expect([2, 3].map((place) => isDrawn(found[0]!, place))).toEqual([true, false]);
  });

  test("is left as it is by an answer that has nothing new", () => {
    expect(extended(GARDEN, { ...GARDEN, moments: [] })).toBe(GARDEN);
  });

  test("is asked about at the turn before where a moment is no turn", () => {
    const past = pastOf(history({ moments: [moment(1), moment(2, { kind: "retraction", turn: null }), moment(3)] }));
    expect([1, 2, 3].map((place) => turnAt(past, place))).toEqual(["T1", "T1", ""]);
    expect(turnAt(past, 0)).toBe("");
  });

  test("keeps a claim that was on the table from the beginning", () => {
    expect(claimsAt(pastOf(history({ claims: [claim("p", 0)] })), 0)).toHaveLength(1);
  });
});
