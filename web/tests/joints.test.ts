import fc from "fast-check";
import { expect, test } from "vitest";
import { drawingAt } from "../src/model/graph";
import { isJoint, jointed } from "../src/model/joints";
import { pastOf } from "../src/model/replay";
import { claim, edge, history } from "./samples";

const wanted = { selected: null, isAll: true, opened: new Set<string>(), alone: new Set<string>() };

test("premises of one justification meet before what they carry", () => {
  const { joints, edges } = jointed([edge("a", "c", 1, { group: "c/1" }), edge("b", "c", 1, { group: "c/1" })]);
  expect(joints.map(({ word, told }) => [word, told])).toEqual([["and", "a and b carry c together"]]);
  expect(edges.map(({ source, target }) => [source, target])).toEqual([
    ["a", "joint:and:c/1"],
    ["b", "joint:and:c/1"],
    ["joint:and:c/1", "c"],
  ]);
});

test("grounds of which one is enough meet in an or, each behind what belongs to it", () => {
  const { joints, edges } = jointed([
    edge("a", "c", 1, { group: "c/1" }),
    edge("b", "c", 1, { group: "c/1" }),
    edge("a", "c", 1, { group: "c/2" }),
    edge("d", "c", 1),
  ]);
  expect(joints.map(({ word }) => word)).toEqual(["or", "and"]);
  const ways = edges.map(({ source, target }) => `${source} > ${target}`);
  expect(ways).toContain("joint:and:c/1 > joint:or:c");
  expect(ways).toContain("a > joint:or:c");
  expect(ways).toContain("joint:or:c > c");
  expect(ways).toContain("d > c");
});

test("a single ground goes straight to its claim, and an attack never meets anything", () => {
  const straight = [edge("a", "c", 1, { group: "c/1" }), edge("b", "c", 1, { kind: "attack" })];
  const { joints, edges } = jointed(straight);
  expect(joints).toEqual([]);
  expect(edges.map(({ source, target }) => [source, target]).sort()).toEqual([
    ["a", "c"],
    ["b", "c"],
  ]);
});

test("whatever the groups, each premise still leads to its claim, and nothing leads anywhere else", () => {
  const names = fc.constantFrom("a", "b", "c", "d");
  const some = fc.array(fc.tuple(names, names, fc.constantFrom(null, "1", "2", "3")), { maxLength: 12 });
  fc.assert(
    fc.property(some, (told) => {
      const given = told.map(([source, target, group]) =>
        edge(source, target, 1, { group: group === null ? null : `${target}/${group}` }),
      );
      const { edges } = jointed(given);
      const ends = (from: string): string[] =>
        edges
          .filter(({ source }) => source === from)
          .flatMap(({ target }) => (isJoint(target) ? ends(target) : [target]));
      for (const name of ["a", "b", "c", "d"]) {
        const meant = new Set(given.filter(({ source }) => source === name).map(({ target }) => target));
        expect(new Set(ends(name))).toEqual(meant);
      }
    }),
  );
});

test("like grounds that belong to different justifications are no crowd", () => {
  const names = ["a", "b", "d", "e"];
  const past = pastOf(
    history({
      place: 1,
      claims: [...names.map((id) => claim(id, 1)), claim("c", 1)],
      edges: names.map((id, index) => edge(id, "c", 1, { group: index < 2 ? "c/1" : "c/2" })),
    }),
  );
  const drawing = drawingAt(past, 1, wanted);
  expect(drawing.crowds).toEqual([]);
  expect(drawing.joints.map(({ word }) => word).sort()).toEqual(["and", "and", "or"]);
});
