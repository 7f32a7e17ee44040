import type { Past } from "./replay";

/** The name of whoever spoke, or their id. */
export function whoOf(past: Past, id: string | null): string {
  if (!id) return "";
  return past.history.agents.find((agent) => agent.id === id)?.name || id;
}
