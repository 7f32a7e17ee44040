/** Where lines meet before a conclusion: premises that carry it together ("and"), and grounds of which one is enough. */
import type { Edge } from "../api/types";

export interface Joint {
  id: string;
  word: "and" | "or";
  /** The conclusion, and what meets here, in words for whoever points at it. */
  told: string;
}

interface Way {
  group: string;
  edges: Edge[];
}

/**
 * Lead the premises of one justification through a joint, and several justifications of one claim through another.
 *
 * A premise without a group goes with every justification of its claim, or is no ground: its line goes straight there.
 * Lines that would be the same afterwards are one.
 */
export function jointed(edges: readonly Edge[]): { joints: Joint[]; edges: Edge[] } {
  const ways = new Map<string, Map<string, Way>>();
  const found: Edge[] = [];
  for (const edge of edges) {
    if (edge.group === null) {
      found.push(edge);
      continue;
    }
    const groups = ways.get(edge.target) ?? new Map<string, Way>();
    ways.set(edge.target, groups);
    const way = groups.get(edge.group) ?? { group: edge.group, edges: [] };
    groups.set(edge.group, way);
    way.edges.push(edge);
  }
  const joints: Joint[] = [];
  for (const [target, groups] of ways) {
    const several = [...groups.values()];
    const either = several.length > 1 ? jointId("or", target) : null;
    if (either !== null) {
      const told = `Each of ${several.length} grounds is enough for ${target}`;
      joints.push({ id: either, word: "or", told });
      found.push({ ...(several[0] as Way).edges[0], source: either, target, kind: "premise", group: null } as Edge);
    }
    for (const way of several) found.push(...through(way, either ?? target, target, joints));
  }
  return { joints, edges: unique(found) };
}

export function isJoint(id: string): boolean {
  return id.startsWith("joint:");
}

function through(way: Way, end: string, target: string, joints: Joint[]): Edge[] {
  const [first] = way.edges;
  if (!first || way.edges.length < 2) return way.edges.map((edge) => ({ ...edge, target: end }));
  const id = jointId("and", way.group);
  joints.push({ id, word: "and", told: `${listed(way.edges)} carry ${target} together` });
  return [
    ...way.edges.map((edge) => ({ ...edge, target: id })),
    { ...first, source: id, target: end, kind: "premise" },
  ];
}

function jointId(word: Joint["word"], of: string): string {
  return `joint:${word}:${of}`;
}

function listed(edges: readonly Edge[]): string {
  const names = edges.map(({ source }) => (source.startsWith("crowd:") ? "like claims" : source));
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1] ?? ""}`;
}

function unique(edges: readonly Edge[]): Edge[] {
  return [...new Map(edges.map((edge) => [`${edge.source} ${edge.target} ${edge.kind}`, edge])).values()];
}
