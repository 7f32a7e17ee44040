/** Server-sent events over fetch: unlike EventSource it can carry a key. */
import { address, Refusal, send } from "./http";
import type { LiveEvent, Verdict } from "./types";

/** Read what whole events a buffer holds; the rest is what the next piece is added to. */
export function eventsIn(buffer: string): { events: string[]; rest: string } {
  const blocks = buffer.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks
    .map((block) =>
      block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n"),
    )
    .filter(Boolean);
  return { events, rest };
}

export function isVerdict(event: LiveEvent | Verdict): event is Verdict {
  return event.kind === "verdict";
}

const SOON = 500;
const LATE = 15_000;

/** Follow a conversation after an entry until it is aborted; where the stream breaks it is taken up again there. */
export async function follow(
  conversation: string,
  after: number,
  told: (event: LiveEvent | Verdict) => void,
  isLive: (live: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after;
  let wait = SOON;
  while (!signal.aborted) {
    try {
      const response = await send(address(["conversations", conversation, "events"], { after: last }), {
        signal,
      });
      isLive(true);
      wait = SOON;
      for await (const data of pieces(response, signal)) {
        const event = JSON.parse(data) as LiveEvent | Verdict;
        // A verdict is no entry, so that the stream is taken up again after the entry before it.
        if (!isVerdict(event)) last = event.epoch;
        told(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      // No stream will come of these however often it is asked for.
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) {
        isLive(false);
        return;
      }
    }
    isLive(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LATE);
  }
}

async function* pieces(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let buffer = "";
  while (!signal.aborted) {
    const { done, value } = await reader.read();
    if (done) return;
    const found = eventsIn(buffer + decoder.decode(value, { stream: true }));
    buffer = found.rest;
    yield* found.events;
  }
}
