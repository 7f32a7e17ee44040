/** The answer to one question: its data, or what the service refused. */

import type { components } from "./schema.js";

/** A shape of the description by its name: `Shape<"TurnAnswer">`. */
export type Shape<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** What the service refused, as it told it (RFC 9457); `slug` is the last part of its type. */
export class ServiceError extends Error {
  readonly status: number;
  readonly problem: Partial<Shape<"Problem">> & Record<string, unknown>;

  constructor(status: number, problem: Partial<Shape<"Problem">> & Record<string, unknown>) {
    super(`the service refused with ${status}: ${problem.detail ?? problem.title ?? "it gave no reason"}`);
    this.name = "ServiceError";
    this.status = status;
    this.problem = problem;
  }

  get slug(): string {
    return String(this.problem.type ?? "").replace("urn:upheld:problem:", "");
  }
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Give the data of an answer, or throw what the service refused. */
export async function taken<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const answer = await asked;
  if (!answer.response.ok || answer.data === undefined) throw refused(answer);
  return answer.data;
}

/** Give the text of an answer that may be empty, or throw what the service refused. */
export async function takenText(asked: Promise<Answer<unknown>>): Promise<string> {
  const answer = await asked;
  if (!answer.response.ok) throw refused(answer);
  return String(answer.data ?? "");
}

function refused({ error, response }: Answer<unknown>): ServiceError {
  const problem = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  return new ServiceError(response.status, problem);
}
