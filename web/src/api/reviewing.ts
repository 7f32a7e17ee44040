/** The review queue: flagged replies, and what reviewers made of them. */
import type { components } from "./schema";

export type Finding = components["schemas"]["Finding"];

export type ReviewOutcome = "grounded" | "ungrounded" | "could_not_tell";

export interface FlagSummary {
    conversation: string;
    id: string;
    text: string;
    speaker: string | null;
    outcome: string;
    reasons: string[];
    line: string;
    status: string;
    assignee: string | null;
    flagged_at: string;
    turn: string | null;
}

export interface FlaggedClaim {
    span: [number, number];
    text: string;
    outcome: string;
    reason: string | null;
    findings: Finding[];
    now?: unknown;
}

export interface Quote {
    turn: string | null;
    speaker: string | null;
    text: string;
}

export interface Flag extends FlagSummary {
    claims: FlaggedClaim[];
    rests_on: Quote | null;
    ended_by: Quote | null;
    comments: { by: string; text: string; at?: string }[];
    history: { kind: string; by?: string | null; outcome?: string | null; reason?: string; at?: string }[];
}

export interface FlagPage {
    flags: FlagSummary[];
    next: string | null;
}
