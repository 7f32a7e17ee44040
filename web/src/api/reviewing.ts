/** The review queue: flagged replies, and what reviewers made of them. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type FlagPage = Schemas["QueueAnswer"];
export type FlagSummary = Schemas["FlagSummary"];
export type Flag = Schemas["FlagAnswer"];
export type FlaggedClaim = Schemas["FlaggedClaim"];
export type CorrectedClaim = Schemas["CorrectedClaim"];
export type ReviewOutcome = Schemas["ReviewOutcome"];
export type Quote = Schemas["MatteringTurn"];
export type Step = Schemas["Step"];
