/** What of the graph is drawn: the neighbourhood of a selection, and crowds of like claims as one. */
import type { Claim, Edge } from "../api/types";
import { jointed, type Joint } from "./joints";
import { claimsAt, isDrawn, type Past } from "./replay";

/** A crowd is drawn as one from this many on. */
export const CROWD = 4;
/** Where nothing is selected, so many of the newest claims are drawn, each by itself. */
const NEWEST = 10;
/** So few claims are drawn all of them, even where nothing is selected. */
const FEW = 14;
/** So many claims at most are drawn at once; the newest of them, and the page says what it left out. */
export const MOST = 260;

export interface Crowd {
  id: string;
  kind: string;
  members: readonly string[];
}

export interface Drawing {
  claims: readonly Claim[];
  crowds: readonly Crowd[];
  joints: readonly Joint[];
  /** Between claims, crowds and joints. */
  edges: readonly Edge[];
  /** Claims that belong here and are not drawn, since there were too many. */
  leftOut: number;
}

export interface Wanted {
  selected: string | null;
  isAll: boolean;
  /** Crowds that a reader opened. */
  opened: ReadonlySet<string>;
  /** Claims that are drawn by themselves whatever crowd they stand in: those a preview colours. */
  alone: ReadonlySet<string>;
}

/** Give what is drawn at a place. Cost: the edges around what is drawn, and those of all where all is asked for. */
export function drawingAt(past: Past, place: number, wanted: Wanted): Drawing {
  const ids = wanted.isAll || !wanted.selected ? overview(past, place, wanted) : around(past, place, wanted.selected);
  for (const id of wanted.alone) if ((past.claims.get(id)?.place ?? Infinity) <= place) ids.add(id);
  const known = [...ids].map((id) => past.claims.get(id)).filter((claim) => claim !== undefined);
  known.sort((a, b) => a.place - b.place);
  const shown = known.slice(-MOST);
  if (wanted.selected) {
    const chosen = past.claims.get(wanted.selected);
    if (chosen && chosen.place <= place && !shown.includes(chosen)) shown.unshift(chosen);
  }
  const among = new Set(shown.map((claim) => claim.id));
  const edges = edgesAmong(past, place, among);
  const isOverview = !wanted.isAll && !wanted.selected;
  const newest = isOverview ? shown.slice(-NEWEST).map((claim) => claim.id) : [];
  const alone = new Set([...wanted.alone, ...newest]);
  return crowded(shown, edges, { ...wanted, alone }, known.length - shown.length);
}

/** Grounds all the way down, conclusions two steps up, and whatever attacks or explains what is selected. */
function around(past: Past, place: number, selected: string): Set<string> {
  const found = new Set([selected]);
  walk(past, place, selected, 4, found, (edge, id) => (edge.target === id && carries(edge) ? edge.source : null));
  walk(past, place, selected, 2, found, (edge, id) => (edge.source === id && carries(edge) ? edge.target : null));
  for (const id of [...found]) {
    for (const edge of past.edges.get(id) ?? []) {
      if (isDrawn(edge, place) && (!carries(edge) ? id === selected || edge.target === id : false)) {
        found.add(edge.source).add(edge.target);
      }
    }
    if (found.size > MOST) break;
  }
  return found;
}

function walk(
  past: Past,
  place: number,
  from: string,
  depth: number,
  found: Set<string>,
  next: (edge: Edge, id: string) => string | null,
): void {
  let front = [from];
  for (let step = 0; step < depth && front.length > 0 && found.size < MOST; step += 1) {
    const fresh: string[] = [];
    for (const id of front) {
      for (const edge of past.edges.get(id) ?? []) {
        const other = isDrawn(edge, place) ? next(edge, id) : null;
        if (other !== null && !found.has(other)) {
          found.add(other);
          fresh.push(other);
        }
      }
    }
    front = fresh;
  }
}

/** Without a selection: what came last, with what it touches; or all of it where that is asked for. */
function overview(past: Past, place: number, wanted: Wanted): Set<string> {
  const claims = claimsAt(past, place);
  if (wanted.isAll || claims.length <= FEW) return new Set(claims.map((claim) => claim.id));
  const found = new Set<string>();
  for (const claim of claims.slice(-NEWEST)) {
    found.add(claim.id);
    for (const edge of past.edges.get(claim.id) ?? []) {
      if (isDrawn(edge, place)) found.add(edge.source).add(edge.target);
    }
  }
  return found;
}

function edgesAmong(past: Past, place: number, among: ReadonlySet<string>): Edge[] {
  const found: Edge[] = [];
  for (const id of among) {
    for (const edge of past.edges.get(id) ?? []) {
      if (edge.target === id && among.has(edge.source) && isDrawn(edge, place)) found.push(edge);
    }
  }
  return found;
}

/** Put like claims together: nothing under them, of one kind, with the very same edges out of them. */
function crowded(claims: readonly Claim[], edges: readonly Edge[], wanted: Wanted, leftOut: number): Drawing {
  const together = sharedGroups(edges);
  const out = new Map<string, string[]>();
  const hasGround = new Set<string>();
  for (const edge of edges) {
    const group = edge.group !== null && together.has(edge.group) ? edge.group : "";
    out.set(edge.source, [...(out.get(edge.source) ?? []), `${edge.kind} ${edge.target} ${group}`]);
    hasGround.add(edge.target);
  }
  const groups = new Map<string, Claim[]>();
  for (const claim of claims) {
    if (hasGround.has(claim.id) || claim.id === wanted.selected || wanted.alone.has(claim.id)) continue;
    const key = JSON.stringify([claim.kind, [...new Set(out.get(claim.id) ?? [])].sort()]);
    groups.set(key, [...(groups.get(key) ?? []), claim]);
  }
  const crowds: Crowd[] = [];
  const crowdOf = new Map<string, string>();
  for (const [key, members] of groups) {
    const id = `crowd:${key}`;
    if (members.length < CROWD || wanted.opened.has(id)) continue;
    crowds.push({ id, kind: (members[0] as Claim).kind, members: members.map((claim) => claim.id) });
    for (const claim of members) crowdOf.set(claim.id, id);
  }
  const joined = new Map<string, Edge>();
  for (const edge of edges) {
    const source = crowdOf.get(edge.source) ?? edge.source;
    joined.set(JSON.stringify([source, edge.target, edge.kind, edge.group]), { ...edge, source });
  }
  const drawn = jointed([...joined.values()]);
  return { claims: claims.filter((claim) => !crowdOf.has(claim.id)), crowds, ...drawn, leftOut };
}

/** Groups of several premises: they carry their claim together. */
function sharedGroups(edges: readonly Edge[]): ReadonlySet<string> {
  const sources = new Map<string, Set<string>>();
  for (const { group, source } of edges) {
    if (group !== null) sources.set(group, (sources.get(group) ?? new Set<string>()).add(source));
  }
  return new Set([...sources].filter(([, found]) => found.size > 1).map(([group]) => group));
}

function carries(edge: Edge): boolean {
  return edge.kind === "premise" || edge.kind === "corroboration";
}

/** Whether it is something that somebody did without putting a claim forward: "T5#3", "o1#falsified". */
export function isAct({ id }: Pick<Claim, "id">): boolean {
  return /#(\d+|falsified)$/.test(id);
}

/** "12 observations", "a dozen of whatever kind" in its plural. */
export function crowdWords(crowd: Crowd): string {
  const plurals: Record<string, string> = { hypothesis: "hypotheses", evidence: "pieces of evidence" };
  return `${crowd.members.length} ${plurals[crowd.kind] ?? `${crowd.kind}s`}`;
}
