import fc from "fast-check";
import { expect, test } from "vitest";
import { segmentsOf } from "../src/model/spans";

const marks = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b", "c"),
    span: fc.tuple(fc.integer({ min: -3, max: 40 }), fc.integer({ min: -3, max: 40 })),
  }),
);

test("whatever is marked, the segments put together are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), marks, (text, told) => {
      expect(
        segmentsOf(text, told)
          .map((each) => each.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

test("a segment has the marks that cover it, where two overlap both", () => {
  const found = segmentsOf("abcdef", [
    { id: "x", span: [1, 4] },
    { id: "y", span: [3, 6] },
  ]);
  expect(found.map(({ text, ids }) => [text, ids.join("")])).toEqual([
    ["a", ""],
    ["bc", "x"],
    ["d", "xy"],
    ["ef", "y"],
  ]);
});

test("characters are counted as the service counts them, so that an emoji shifts nothing", () => {
  expect(segmentsOf("🙂 dry", [{ id: "x", span: [2, 5] }]).map(({ text }) => text)).toEqual(["🙂 ", "dry"]);
});
