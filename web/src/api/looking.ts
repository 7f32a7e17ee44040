/** What the page alone asks for: a conversation with its whole past, and what is derived from that. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type History = Schemas["History"];
export type Moment = Schemas["Moment"];
export type Mention = Schemas["Mention"];
export type Claim = Schemas["DrawnClaim"];
export type Edge = Schemas["DrawnEdge"];
export type EdgeKind = Schemas["EdgeKind"];
export type Changed = Schemas["StandingChange"];

export type ClaimDetail = Schemas["ClaimDetail"];
export type Comparison = Schemas["Comparison"];
export type Sample = Schemas["Sample"];
