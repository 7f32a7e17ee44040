/**
 * A conversation as of any moment of it, from one answer of the service.
 *
 * The log of changes is kept by claim, in order: how a claim stood at a place is a binary search, and nothing is
 * copied. A hand on the time bar therefore costs what is on the screen, however long the conversation is.
 */
import type { Changed, Claim, Edge, History, Moment } from "../api/types";

export interface Past {
  history: History;
  claims: ReadonlyMap<string, Claim>;
  /** Changes of each claim in the order of their places. */
  log: ReadonlyMap<string, readonly Changed[]>;
  /** Edges by each of their ends. */
  edges: ReadonlyMap<string, readonly Edge[]>;
  /** Place of each turn. */
  places: ReadonlyMap<string, number>;
}

export function pastOf(history: History): Past {
  const log = new Map<string, Changed[]>();
  for (const change of [...history.changes].sort((a, b) => a.place - b.place)) push(log, change.claim, change);
  const edges = new Map<string, Edge[]>();
  for (const edge of history.edges) {
    push(edges, edge.source, edge);
    if (edge.target !== edge.source) push(edges, edge.target, edge);
  }
  const places = new Map<string, number>();
  for (const moment of history.moments) if (moment.turn) places.set(moment.turn, moment.place);
  return { history, claims: new Map(history.claims.map((claim) => [claim.id, claim])), log, edges, places };
}

/** Put what came later behind what is there; a claim or an edge that is told again replaces itself. */
export function extended(history: History, later: History): History {
  if (later.place <= history.place && later.version <= history.version) return history;
  const isNew = (each: { place: number }) => each.place > history.place;
  return {
    ...later,
    moments: [...history.moments, ...later.moments.filter(isNew)],
    claims: merged(history.claims, later.claims, (claim) => claim.id),
    edges: merged(history.edges, later.edges, edgeKey),
    changes: [...history.changes, ...later.changes.filter(isNew)],
  };
}

/** How a claim stood right after a place; null where it was not yet put forward. */
export function standingAt(past: Past, claim: string, place: number): Changed | null {
  const changes = past.log.get(claim);
  if (!changes) return null;
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as Changed).place <= place) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1] ?? null;
}

/** Whether an edge counts at a place. */
export function isDrawn(edge: Edge, place: number): boolean {
  return edge.place <= place && (edge.ended === null || edge.ended > place);
}

/** Claims that were on the table at a place, in the order of the record. */
export function claimsAt(past: Past, place: number): Claim[] {
  return past.history.claims.filter((claim) => claim.place <= place);
}

/** The turn to ask the service at, for a place: the last one up to there. Empty: now. */
export function turnAt(past: Past, place: number): string {
  if (place >= past.history.place) return "";
  const { moments } = past.history;
  for (let index = moments.length - 1; index >= 0; index -= 1) {
    const moment = moments[index] as Moment;
    if (moment.place <= place && moment.turn && moment.kind === "turn") return moment.turn;
  }
  return "";
}

function edgeKey(edge: Edge): string {
  return JSON.stringify([edge.source, edge.target, edge.kind, edge.group]);
}

function merged<Item>(old: readonly Item[], later: readonly Item[], key: (item: Item) => string): Item[] {
  const found = new Map(old.map((item) => [key(item), item]));
  for (const item of later) found.set(key(item), item);
  return [...found.values()];
}

function push<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
