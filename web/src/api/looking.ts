/** What the page alone asks for: a conversation with its whole past, and what is derived from that. */
import type { ClaimStatus, Agent, Change, Effects, Kind, Label, Lifecycle, Status } from "./types";

export type EdgeKind = "premise" | "corroboration" | "explanation" | "attack" | "supersession";

/** Which claim a turn puts forward or acts on, and where in its text, in characters (code points). */
export interface Mention {
  id: string;
  span: [number, number] | null;
  act: string;
}

export interface Moment {
  place: number;
  kind: "turn" | "retraction" | "joined";
  turn: string | null;
  speaker: string | null;
  text: string;
  at: string;
  session: string;
  recorded_at: string;
  audience: string[] | null;
  is_erased: boolean;
  is_unread: boolean;
  change: Change | null;
  reason: string;
  operations: { op?: string; [field: string]: unknown }[];
  claims: Mention[];
  effects: Effects | null;
}

export interface Claim {
  id: string;
  text: string;
  kind: Kind;
  speaker: string | null;
  turn: string | null;
  place: number;
}

export interface Edge {
  source: string;
  target: string;
  kind: EdgeKind;
  group?: number | string | null;
  place: number;
  ended?: number | null;
}

export interface Changed {
  place: number;
  claim: string;
  standing: Label;
  lifecycle: Lifecycle;
  needs_reevaluation: boolean;
}

export interface History {
  id: string;
  title: string;
  version: number;
  place: number;
  agents: Agent[];
  moments: Moment[];
  claims: Claim[];
  edges: Edge[];
  changes: Changed[];
}

export interface ClaimDetail {
  status: ClaimStatus;
  mentions: { turn: string; act: string; speaker: string | null }[];
  values: { id: string; text: string; turn: string | null }[];
  rests_on_it: string[];
  lifecycle_turn: string | null;
  standing_turn: string | null;
}

export interface Comparison {
  new: ClaimStatus[];
  gone: ClaimStatus[];
  changed: { claim: string; text: string; before: Status; after: Status }[];
}

export interface Sample {
  id: string;
  title: string;
  about: string;
}
