/** Small conversations for the tests, made by hand. */
import type { Changed, Claim, Edge, History, Moment } from "../src/api/types";

export function claim(id: string, place: number, more: Partial<Claim> = {}): Claim {
  return { id, text: `This is ${id}.`, kind: "observation", speaker: "ann", turn: `T${place}`, place, ...more };
}

export function edge(source: string, target: string, place: number, more: Partial<Edge> = {}): Edge {
  return { source, target, kind: "premise", group: null, place, ended: null, ...more };
}

export function change(claim: string, place: number, more: Partial<Changed> = {}): Changed {
  return { place, claim, standing: "in", lifecycle: "standing", needs_reevaluation: false, ...more };
}

export function moment(place: number, more: Partial<Moment> = {}): Moment {
  return {
    place,
    kind: "turn",
    turn: `T${place}`,
    speaker: "ann",
    text: `Turn ${place}.`,
    at: "",
    session: "",
    recorded_at: "2026-01-01T00:00:00Z",
    audience: null,
    is_erased: false,
    is_unread: false,
    change: null,
    reason: "",
    operations: [],
    claims: [],
    effects: null,
    ...more,
  };
}

export function history(more: Partial<History> = {}): History {
  const moments = more.moments ?? [];
  return {
    id: "talk",
    title: "",
    version: moments.length * 2 + 1,
    place: moments.length,
    agents: [],
    moments,
    claims: [],
    edges: [],
    changes: [],
    ...more,
  };
}

/** Two readings, a guess on the first of them, which falls with it at place 4. */
export const GARDEN = history({
  moments: [1, 2, 3, 4].map((place) => moment(place)),
  claims: [claim("o1", 1), claim("o2", 2), claim("h1", 3, { kind: "hypothesis" })],
  edges: [edge("o1", "h1", 3)],
  changes: [
    change("o1", 1),
    change("o2", 2),
    change("h1", 3, { lifecycle: "active" }),
    change("o1", 4, { standing: "out", lifecycle: "retracted" }),
    change("h1", 4, { standing: "out", lifecycle: "active" }),
  ],
});
