/** The review queue by name: flagged replies, and what becomes of them. */

import type { Client } from "openapi-fetch";
import { type Shape, taken, takenText } from "./asking.js";
import type { operations, paths } from "./schema.js";

/** Which flags of all conversations are listed; those that nobody decided, if nothing is said. */
export type QueueQuery = NonNullable<operations["queue"]["parameters"]["query"]>;

/** An idempotency key of the caller's own; a new one, if it is left out. */
export interface Keyed {
  key?: string;
}

/** A decided flag as a label, in the fields of a `verify` item of an annotated transcript. */
export interface Label {
  id: string;
  conversation: string;
  text: string;
  speaker?: string;
  /** The turn after which it was judged. */
  at?: string;
  label: Shape<"Outcome">;
  stance: Shape<"Stance">;
  modality: Shape<"Modality">;
  rests_on: string[];
  why: string;
  claims: Record<string, unknown>[];
  /** What was found when it was flagged. */
  judged: Shape<"Outcome">;
  decided_by: string;
}

const FLAGS = "/v1/conversations/{conversation}/flags";
const FLAG = `${FLAGS}/{flag}` as const;

/**
 * The calls of the review queue under the names that they have in Python: `const review = reviewing(service)`, then
 * `await review.decide("night", "F1", "ungrounded", { by: "ben" })`. What is refused is thrown as a `ServiceError`.
 */
export function reviewing(service: Client<paths>) {
  return {
    /** List flagged replies of all conversations, the worst and newest first, a page at a time. */
    queue(query: QueueQuery = {}) {
      return taken(service.GET("/v1/queue", { params: { query } }));
    },

    /** Put a reply before a person: it is verified as things stand, and filed with what is found. */
    flag(
      conversation: string,
      text: string,
      { key, ...more }: Omit<Shape<"FlagRequest">, "text"> & Keyed = {},
    ) {
      return taken(service.POST(FLAGS, { params: { path: { conversation }, ...keyed(key) }, body: { text, ...more } }));
    },

    /** Give a flag with its claims as they were judged and as they stand, and what was done about it. */
    flagged(conversation: string, flag: string) {
      return taken(service.GET(FLAG, { params: { path: { conversation, flag } } }));
    },

    /** Give a flag to somebody to look at; to `null`: back to all. */
    assign(
      conversation: string,
      flag: string,
      to: string | null,
      { key, ...more }: Omit<Shape<"AssignmentRequest">, "to"> & Keyed = {},
    ) {
      const params = { path: { conversation, flag }, ...keyed(key) };
      return taken(service.POST(`${FLAG}/assignment`, { params, body: { to, ...more } }));
    },

    /** Decide a flag; `claims` correct how it was matched. To replace a decision, name the version that you saw. */
    decide(
      conversation: string,
      flag: string,
      outcome: Shape<"ReviewOutcome">,
      { key, ...more }: Omit<Shape<"DecisionRequest">, "outcome"> & Keyed,
    ) {
      const params = { path: { conversation, flag }, ...keyed(key) };
      return taken(service.POST(`${FLAG}/decision`, { params, body: { outcome, ...more } }));
    },

    /** Remark on a flag. */
    comment(
      conversation: string,
      flag: string,
      text: string,
      { key, ...more }: Omit<Shape<"CommentRequest">, "text"> & Keyed,
    ) {
      const params = { path: { conversation, flag }, ...keyed(key) };
      return taken(service.POST(`${FLAG}/comments`, { params, body: { text, ...more } }));
    },

    /** Give all decided flags as labels; those whose words were erased are left out. */
    async labels(): Promise<Label[]> {
      const text = await takenText(service.GET("/v1/queue/export", { parseAs: "text" }));
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Label);
    },
  };
}

function keyed(key: string | undefined): { header?: { "Idempotency-Key": string } } {
  return key === undefined ? {} : { header: { "Idempotency-Key": key } };
}
