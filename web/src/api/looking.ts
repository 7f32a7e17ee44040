/** What the page alone asks for: a conversation with its whole past, and what is derived from that. */
import type { components } from "./schema";
import type { ClaimStatus, Status } from "./types";

type Schemas = components["schemas"];

export type History = Schemas["History"];
export type Moment = Schemas["Moment"];
export type Mention = Schemas["Mention"];
export type Claim = Schemas["DrawnClaim"];
export type Edge = Schemas["DrawnEdge"];
export type EdgeKind = Schemas["EdgeKind"];
export type Changed = Schemas["StandingChange"];

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
