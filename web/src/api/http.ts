/** One way of asking the service: JSON there and back, the key of this tab, and refusals as errors. */
import { currentKey, demandKey } from "./key";

/** A refusal (RFC 9457), or that nobody answered; the words are those of the service. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly slug: string,
    /** Titles by id, of a file that holds several conversations. */
    readonly conversations: Readonly<Record<string, string>> = {},
  ) {
    super(detail || title);
  }
}

export type Query = Record<string, string | number | null | undefined>;

/** Put a path together; what is empty is left out of the query. */
export function address(parts: readonly string[], query: Query = {}): string {
  const path = `/v1/${parts.map(encodeURIComponent).join("/")}`;
  const told = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const asked = new URLSearchParams(told.map(([name, value]) => [name, String(value)])).toString();
  return asked ? `${path}?${asked}` : path;
}

export interface Sent {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Send a request and give the response; a refusal is thrown. A 401 makes the page ask for a key. */
export async function send(path: string, { method = "GET", body, signal, headers = {} }: Sent = {}): Promise<Response> {
  const key = currentKey();
  const isRaw = body instanceof Blob;
  const told: Record<string, string> = { ...headers };
  if (key) told.authorization = `Bearer ${key}`;
  if (body !== undefined && !isRaw) told["content-type"] = "application/json";
  const init: RequestInit = { method, headers: told };
  if (body !== undefined) init.body = isRaw ? body : JSON.stringify(body);
  if (signal) init.signal = signal;
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, "The service does not answer", "It may have been stopped, or the network is away.", "");
  }
  if (response.ok) return response;
  if (response.status === 401) demandKey();
  throw await refusal(response);
}

/** Ask, and read the answer as JSON. */
export async function ask<Answer>(path: string, sent: Sent = {}): Promise<Answer> {
  return (await (await send(path, sent)).json()) as Answer;
}

export function post<Answer>(path: string, body: unknown): Promise<Answer> {
  return ask<Answer>(path, { method: "POST", body });
}

async function refusal(response: Response): Promise<Refusal> {
  try {
    const tree = (await response.json()) as {
      type?: string;
      title?: string;
      detail?: string;
      conversations?: Record<string, string>;
    };
    const slug = (tree.type ?? "").replace("urn:upheld:problem:", "");
    return new Refusal(response.status, tree.title ?? response.statusText, tree.detail ?? "", slug, tree.conversations);
  } catch {
    return new Refusal(response.status, response.statusText || "The service failed", "", "");
  }
}
