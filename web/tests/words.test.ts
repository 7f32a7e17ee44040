import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventsIn } from "../src/api/stream";
import type { Brief } from "../src/api/types";
import { briefMarkdown, plainLine } from "../src/model/briefing";
import { begunWith, corrected } from "../src/model/corrections";
import { lookOf } from "../src/model/look";
import { effectsOf } from "../src/model/preview";
import { hashOf, routeOf } from "../src/model/route";
import { nextTick, ticksOf } from "../src/model/ticks";
import { change, moment } from "./samples";

describe("addresses", () => {
  test("lead back to where they came from, whatever a conversation is called", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((id) => !id.includes("/")),
        fc.string({ minLength: 1 }),
        (conversation, claim) => {
          const route = { view: "talk" as const, conversation, flag: "", query: { claim } };
          expect(routeOf(hashOf(route))).toEqual(route);
        },
      ),
    );
  });

  test("that mean nothing lead home", () => {
    expect(routeOf("#/nowhere/at/all").view).toBe("list");
    expect(routeOf("#/c/").view).toBe("list");
    expect(routeOf("#/c/%E0%A4%A").conversation).toBe("%E0%A4%A");
  });
});

test("a stream that comes in pieces gives its events once, and keeps what is not whole yet", () => {
  const whole = 'retry: 1000\n\nid: 3\nevent: words\ndata: {"epoch":3}\n\n:\n\nid: 4\ndata: {"epoch":4}\n\n';
  fc.assert(
    fc.property(fc.nat(whole.length), (cut) => {
      const first = eventsIn(whole.slice(0, cut));
      const second = eventsIn(first.rest + whole.slice(cut));
      expect([...first.events, ...second.events]).toEqual(['{"epoch":3}', '{"epoch":4}']);
      expect(second.rest).toBe("");
    }),
  );
});

test("ticks tell where something fell, came back and was decided", () => {
  const nothing = { given_up: [], lost: [], thinned: [], defeated: [], reinstated: [] };
  const ticks = ticksOf([
    moment(1, { effects: nothing }),
    moment(2, { effects: { ...nothing, lost: ["h1"], reinstated: ["h2"] } }),
    moment(3, { operations: [{ op: "resolve", target: "h2" }] }),
  ]);
  expect(ticks.map(({ place, kind }) => `${place} ${kind}`)).toEqual(["2 fell", "2 back", "3 decided"]);
  expect([nextTick(ticks, 2, 1), nextTick(ticks, 2, -1), nextTick(ticks, 1, 1)]).toEqual([3, null, 2]);
});

test("what its holders did comes before what follows from it", () => {
  expect(lookOf("hypothesis", change("h", 1, { lifecycle: "abandoned" }))).toBe("given_up");
  expect(lookOf("hypothesis", change("h", 1, { lifecycle: "weakened", standing: "out" }))).toBe("weakened");
  expect(lookOf("hypothesis", change("h", 1, { lifecycle: "resolved" }))).toBe("stands");
  expect(lookOf("position", change("h", 1, { lifecycle: "active" }))).toBe("live");
  expect(lookOf("fact", change("f", 1, { standing: "undecided" }))).toBe("fell");
});

const DELTA: Brief["delta"] = {
  lost: [],
  thinned: [],
  defeated: [],
  explained_by: [],
  reinstated: [],
  reopened: [],
  activated: [],
};

test("a preview has one word for each claim, and the graver one counts", () => {
  const path = ["o1", "h1"];
  const delta = {
    ...DELTA,
    lost: [{ id: "h1", effect: "lost" as const, path }],
    thinned: [{ id: "h1", effect: "thinned" as const, path }],
    reopened: ["h2"],
  };
  expect([...effectsOf(delta)]).toEqual([
    ["h1", "falls"],
    ["h2", "back"],
  ]);
});

test("what people said is text in Markdown too", () => {
  expect(plainLine("<b>*no*</b>\n# [x](y)")).toBe("\\<b\\>\\*no\\*\\</b\\> \\# \\[x\\](y)");
});

test("a brief has a part for whatever has something to say, and says so where nothing has", () => {
  const brief: Brief = {
    change: { act: "retract", target: "o1" },
    delta: DELTA,
    decisions: [],
    conditions: [],
    concerns: [],
    alternatives: [],
    not_to_reopen: [],
    dissent: [],
  };
  expect(briefMarkdown(brief, "Talk")).toBe("# Talk: o1 is taken back\n\nNothing else turns on it.\n");
  const remark = { id: "d1", text: "We ship.", speaker: "ann", turn: "T3", about: null };
  const told = briefMarkdown(
    { ...brief, decisions: [remark], not_to_reopen: [{ position: remark, because: [remark] }] },
    "Talk",
  );
  expect(told).toContain("## Decisions to look at again\n\n- d1: We ship. (ann, T3)\n\n## Not to reopen");
});

test("a match that nobody edited is sent as none, and an edited one whole", () => {
  const finding = { literal: "h1", outcome: "ungrounded", now: null };
  const claim = {
    span: [0, 4],
    text: "It.",
    stance: "asserts",
    modality: "fact",
    outcome: "ungrounded",
    findings: [finding],
  };
  const claims = [claim] as unknown as Parameters<typeof corrected>[0];
  const begun = begunWith(claims);
  expect(corrected(claims, begun)).toBeNull();
  expect(corrected(claims, [{ literals: "h2, ~o1", outcome: "grounded" }])).toEqual([
    { span: [0, 4], literals: ["h2", "~o1"], outcome: "grounded", stance: "asserts", modality: "fact" },
  ]);
});
