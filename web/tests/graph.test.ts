import { expect, test } from "vitest";
import { crowdWords, drawingAt, MOST } from "../src/model/graph";
import { placesOf } from "../src/model/layout";
import { pastOf } from "../src/model/replay";
import { claim, edge, GARDEN, history } from "./samples";

const wanted = { selected: null, isAll: false, opened: new Set<string>(), alone: new Set<string>() };

function crowd(count: number) {
  const names = Array.from({ length: count }, (_, index) => `o${index}`);
  return pastOf(
    history({
      place: 2,
      claims: [...names.map((id) => claim(id, 1)), claim("h", 2, { kind: "hypothesis" })],
      edges: names.map((id) => edge(id, "h", 2)),
    }),
  );
}

test("like grounds of one claim are drawn as a crowd, which opens", () => {
  const past = crowd(12);
  const drawing = drawingAt(past, 2, { ...wanted, selected: "h" });
  expect(drawing.crowds.map(crowdWords)).toEqual(["12 observations"]);
  expect(drawing.claims.map(({ id }) => id)).toEqual(["h"]);
  expect(drawing.edges).toHaveLength(1);
  const opened = drawingAt(past, 2, { ...wanted, selected: "h", opened: new Set(drawing.crowds.map(({ id }) => id)) });
  expect(opened.claims).toHaveLength(13);
});

test("a member that a preview colours stands alone", () => {
  const drawing = drawingAt(crowd(12), 2, { ...wanted, selected: "h", alone: new Set(["o3"]) });
  expect(drawing.claims.map(({ id }) => id).sort()).toEqual(["h", "o3"]);
  expect(drawing.crowds.map(crowdWords)).toEqual(["11 observations"]);
});

test("around a selection stands what it rests on and what rests on it, and nothing else", () => {
  expect(drawingAt(pastOf(GARDEN), 4, { ...wanted, selected: "h1" }).claims.map(({ id }) => id)).toEqual(["o1", "h1"]);
  expect(drawingAt(pastOf(GARDEN), 2, { ...wanted, selected: "o1" }).claims.map(({ id }) => id)).toEqual(["o1"]);
});

test("attacks on a claim are drawn with what they rest on being a step away", () => {
  const past = pastOf(
    history({
      place: 3,
      claims: [claim("h", 1), claim("u", 2), claim("far", 3)],
      edges: [edge("u", "h", 2, { kind: "attack" })],
    }),
  );
  const drawing = drawingAt(past, 3, { ...wanted, selected: "h" });
  expect(drawing.claims.map(({ id }) => id)).toEqual(["h", "u"]);
  expect(drawing.edges.map(({ kind }) => kind)).toEqual(["attack"]);
});

test("of very many claims the newest are drawn, and the others are counted", () => {
  const many = MOST + 40;
  const claims = Array.from({ length: many }, (_, index) => claim(`o${index}`, index + 1));
  const chain = claims.slice(1).map((each, index) => edge(`o${index}`, each.id, each.place));
  const drawing = drawingAt(pastOf(history({ place: many, claims, edges: chain })), many, { ...wanted, isAll: true });
  expect(drawing.claims).toHaveLength(MOST);
  expect(drawing.leftOut).toBe(40);
});

test("grounds are laid out below what rests on them, and nothing overlaps", () => {
  const boxes = ["o1", "o2", "h1", "alone"].map((id) => ({ id, width: 100, height: 40 }));
  const lines = [
    { source: "o1", target: "h1", isRank: true },
    { source: "o2", target: "h1", isRank: true },
  ];
  const places = placesOf({ boxes, lines });
  expect(places.o1!.y).toBeGreaterThan(places.h1!.y + 40);
  expect(places.alone!.y).toBeGreaterThan(places.o1!.y + 40);
  expect(Math.abs(places.o1!.x - places.o2!.x)).toBeGreaterThanOrEqual(100);
});

test("where nothing is selected the newest claims stand by themselves", () => {
  const claims = Array.from({ length: 40 }, (_, index) => claim(`o${index}`, index + 1));
  const drawing = drawingAt(pastOf(history({ place: 40, claims })), 40, wanted);
  expect(drawing.crowds).toEqual([]);
  expect(drawing.claims.map(({ id }) => id)).toEqual(claims.slice(-10).map(({ id }) => id));
});
