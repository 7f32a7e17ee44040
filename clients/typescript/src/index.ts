/** A client of the upheld service. Its types are generated from the description of the service. */

import createFetch, { type Client, type Middleware } from "openapi-fetch";
import { ServiceError, type Shape } from "./asking.js";
import type { paths } from "./schema.js";

export { ServiceError, type Shape, taken } from "./asking.js";
export { type Keyed, type Label, type QueueQuery, reviewing } from "./reviewing.js";
export type { components, paths } from "./schema.js";

export interface Options {
  /** Where the service is; loopback, if it is left out. */
  url?: string;
  /** A key of the service, where it wants one. */
  key?: string;
  /** Tries after the first, when the service is busy or cannot be reached. */
  retries?: number;
}

export interface Following extends Options {
  /** Begin after this entry; from the beginning, if it is left out. */
  after?: number;
  signal?: AbortSignal;
  /** Tell verdicts too, as they are given; without it they are passed over. */
  hasVerdicts?: boolean;
}

/** A verdict that was given while somebody listened. */
export type Verdict = Shape<"VerdictEvent"> & { kind: "verdict" };

const BUSY = new Set([429, 503]);
const FIRST_WAIT = 100;
const LONGEST_WAIT = 30_000;
const RECONNECT = 1_000;

/**
 * Make a client: `const service = createClient({ url })`, then
 * `await taken(service.POST("/v1/conversations/{conversation}/turns", { params: { path: { conversation } }, body }))`.
 *
 * Every request that is sent has an idempotency key, so that it may be sent again and is done once all the same.
 */
export function createClient(options: Options = {}): Client<paths> {
  const client = createFetch<paths>({ baseUrl: address(options), fetch: (request) => tried(request, options.retries ?? 4) });
  const identified: Middleware = {
    onRequest({ request }) {
      if (options.key) request.headers.set("authorization", `Bearer ${options.key}`);
      if (request.method === "POST" && !request.headers.has("idempotency-key")) {
        request.headers.set("idempotency-key", crypto.randomUUID());
      }
      return request;
    },
  };
  client.use(identified);
  return client;
}

/**
 * Give each entry of a conversation as it arrives, without end, gap or repeat; a lost connection is opened again where it
 * ended. Leave the loop with `break`, or give a `signal`.
 *
 * With `hasVerdicts` verdicts come between entries as they are given (`kind` is `"verdict"`). They are in no record: one
 * that was given before, or while a connection was lost, or by another process of the service, is not told.
 */
export function follow(
  conversation: string,
  options?: Following & { hasVerdicts?: false },
): AsyncGenerator<Shape<"Event">>;
export function follow(conversation: string, options: Following): AsyncGenerator<Shape<"Event"> | Verdict>;
export async function* follow(
  conversation: string,
  options: Following = {},
): AsyncGenerator<Shape<"Event"> | Verdict> {
  const url = `${address(options)}/v1/conversations/${encodeURIComponent(conversation)}/events`;
  const { signal } = options;
  let after = options.after ?? 0;
  while (!signal?.aborted) {
    const headers = new Headers({ accept: "text/event-stream", "last-event-id": String(after) });
    if (options.key) headers.set("authorization", `Bearer ${options.key}`);
    const response = await tried(new Request(url, { headers, signal: signal ?? null }), options.retries ?? 4);
    if (!response.ok || !response.body) throw new ServiceError(response.status, await problemOf(response));
    try {
      for await (const data of events(response.body)) {
        const event = JSON.parse(data) as Shape<"Event"> | Verdict;
        if (event.kind === "verdict") {
          if (options.hasVerdicts) yield event;
        } else if (event.epoch > after) {
          after = event.epoch;
          yield event;
        }
      }
    } catch (error) {
      // A connection that broke while it was read is opened again; anything else is the caller's.
      if (!(error instanceof TypeError)) throw error;
    }
    await slept(RECONNECT);
  }
}

async function tried(request: Request, retries: number): Promise<Response> {
  for (let made = 0; ; made++) {
    let wait = FIRST_WAIT * 2 ** made;
    try {
      const response = await fetch(request.clone());
      if (!BUSY.has(response.status) || made >= retries) return response;
      await response.body?.cancel();
      const told = response.headers.get("retry-after") ?? "";
      if (/^\d+$/.test(told)) wait = Number(told) * 1000;
    } catch (error) {
      if (made >= retries || request.signal.aborted) throw error;
    }
    await slept(Math.min(wait, LONGEST_WAIT));
  }
}

async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (waiting + value).split("\n\n");
      waiting = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = block.split("\n").filter((line) => line.startsWith("data: "));
        if (lines.length > 0) yield lines.map((line) => line.slice("data: ".length)).join("\n");
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function address(options: Options): string {
  return (options.url ?? "http://127.0.0.1:8600").replace(/\/+$/, "");
}

function slept(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
