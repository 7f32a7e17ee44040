/** The client against the real service, whose address is UPHELD_URL. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, follow, reviewing, ServiceError, taken } from "../src/index.js";

const url = process.env["UPHELD_URL"];
assert.ok(url, "UPHELD_URL names no service");
const service = createClient({ url });
const conversation = "from typescript";
const params = { path: { conversation } };

test("a conversation is begun, told, asked and taken back", async () => {
  await taken(service.POST("/v1/conversations", { body: { id: conversation, agents: [{ id: "ana" }] } }));
  const told = await taken(
    service.POST("/v1/conversations/{conversation}/turns", {
      params,
      body: { speaker: "ana", operations: [{ op: "observe", id: "o1", text: "The Redis server is down." }] },
    }),
  );
  assert.deepEqual([told.turn, told.version, told.is_repeated], ["T1", 3, false]);
  const ask = () =>
    taken(
      service.POST("/v1/conversations/{conversation}/verify", { params, body: { text: "The Redis server is down." } }),
    );
  assert.equal((await ask()).outcome, "grounded");
  const taking = { change: { act: "retract" as const, target: "o1" }, reason: "the probe was wrong" };
  await taken(service.POST("/v1/conversations/{conversation}/retractions", { params, body: taking }));
  assert.equal((await ask()).outcome, "ungrounded");
});

test("a request under one key is done once", async () => {
  const sent = {
    params: { ...params, header: { "Idempotency-Key": "k" } },
    body: { speaker: "ana", text: "It rains." },
  };
  const first = await taken(service.POST("/v1/conversations/{conversation}/turns", sent));
  const again = await taken(service.POST("/v1/conversations/{conversation}/turns", sent));
  assert.deepEqual([first.is_repeated, again.is_repeated, again.turn], [false, true, first.turn]);
});

test("a refusal is thrown with what the service told of it", async () => {
  const body = { speaker: "ana", text: "Hm.", expected_version: 1 };
  await assert.rejects(taken(service.POST("/v1/conversations/{conversation}/turns", { params, body })), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.status, error.slug, error.problem["expected"]], [409, "version-conflict", 1]);
    return true;
  });
});

test("a listener hears each entry once, from where it wants", async () => {
  const heard: string[] = [];
  for await (const event of follow(conversation, { url, after: 1 })) {
    heard.push(`${event.epoch} ${event.kind}`);
    if (event.kind === "retraction") break;
  }
  assert.deepEqual(heard, ["2 words", "3 meaning", "4 retraction"]);
  await assert.rejects(follow("nobody", { url }).next(), ServiceError);
});

test("a listener who asks for verdicts hears them as they are given", async () => {
  const signal = AbortSignal.timeout(20_000);
  const heard: string[] = [];
  for await (const event of follow(conversation, { url, after: 3, signal, hasVerdicts: true })) {
    if (event.kind === "verdict") {
      heard.push(`${event.kind} ${event.outcome}`);
      break;
    }
    heard.push(`${event.epoch} ${event.kind}`);
    if (event.epoch === 6) {
      const body = { text: "The Redis server is down." };
      await taken(service.POST("/v1/conversations/{conversation}/verify", { params, body }));
    }
  }
  assert.deepEqual(heard, ["4 retraction", "5 words", "6 meaning", "verdict ungrounded"]);
});

test("a flagged reply is given to somebody, spoken about and decided by name", async () => {
  const review = reviewing(service);
  const statuses = async () => {
    const { flags } = await review.queue({ conversation, status: "all" });
    return flags.map((each) => `${each.id} ${each.status} ${each.assignee}`);
  };
  assert.deepEqual([await statuses(), await review.labels()], [[], []]);
  const text = "The Redis server is down.";
  const filed = await review.flag(conversation, text, { speaker: "ana", by: "ben", note: "doubtful", key: "f" });
  const again = await review.flag(conversation, text, { speaker: "ana", by: "ben", note: "doubtful", key: "f" });
  assert.deepEqual([filed.id, filed.outcome, again.id], ["F1", "ungrounded", "F1"]);
  await review.assign(conversation, "F1", "ben", { by: "ana" });
  assert.deepEqual(await statuses(), ["F1 assigned ben"]);
  assert.equal((await review.assign(conversation, "F1", null)).assignee, null);
  const told = await review.comment(conversation, "F1", "The probe was wrong.", { by: "ana" });
  await review.decide(conversation, "F1", "ungrounded", { by: "ben", reason: "taken back", expected_version: told.version });
  assert.deepEqual(await statuses(), ["F1 decided null"]);
  const { history } = await review.flagged(conversation, "F1");
  assert.deepEqual(
    history.map((each) => each.kind),
    ["flag", "assignment", "assignment", "comment", "decision"],
  );
  const labels = await review.labels();
  assert.deepEqual(
    labels.map((each) => [each.id, each.label, each.decided_by, each.rests_on]),
    [[`${conversation}/F1`, "ungrounded", "ben", ["o1"]]],
  );
  await assert.rejects(review.decide(conversation, "F1", "grounded", { by: "ana" }), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.status, 409);
    return true;
  });
  await assert.rejects(review.flagged(conversation, "F9"), ServiceError);
});
