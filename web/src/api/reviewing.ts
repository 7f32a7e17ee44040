/** The review queue: flagged replies, and what reviewers made of them. */
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Finding = Schemas["Finding"];
type CheckedClaim = Schemas["CheckedClaim"];

export type ReviewOutcome = "grounded" | "ungrounded" | "could_not_tell";

export interface FlagSummary {
  conversation: string;
  id: string;
  version: number;
  text: string;
  speaker: string | null;
  outcome: string;
  reasons: string[];
  line: string;
  status: string;
  assignee: string | null;
  decided: ReviewOutcome | null;
  flagged_at: string;
  turn: string | null;
  is_erased: boolean;
}

export interface CorrectedClaim {
  span: [number, number];
  literals: string[];
  outcome: ReviewOutcome;
  stance: string;
  modality: string;
}

export type FlaggedClaim = Omit<CheckedClaim, "findings"> & { findings: (Finding & { now: Finding | null })[] };

export interface Quote {
  turn: string;
  speaker: string;
  text: string;
}

export interface Step {
  epoch: number;
  kind: "flag" | "assignment" | "decision" | "comment";
  at: string;
  by: string | null;
  is_erased: boolean;
  text: string;
  to: string | null;
  outcome: ReviewOutcome | null;
  claims: CorrectedClaim[] | null;
}

export interface Flag extends FlagSummary {
  by: string | null;
  note: string;
  abstained: string;
  claims: FlaggedClaim[];
  rests_on: Quote | null;
  ended_by: Quote | null;
  comments: Step[];
  history: Step[];
}

export interface FlagPage {
  flags: FlagSummary[];
  next: string | null;
}
