/** What the service answers, by the names that the page uses. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Agent = Schemas["Agent"];
export type ClaimStatus = Schemas["ClaimStatus"];
export type Caller = Schemas["Caller"];
export type Receipt = Schemas["Receipt"];
export type ConversationList = Schemas["ConversationList"];
export type Status = Schemas["Status"];
export type Delta = Schemas["Delta"];
export type Change = Schemas["Retract"] | Schemas["Falsify"] | Schemas["Withdraw"] | Schemas["Supersede"];
export type AffectedAnswer = Schemas["AffectedAnswer"];
export type RetractionAnswer = Schemas["RetractionAnswer"];
export type Explanation = Schemas["Explanation"];
export type Brief = Schemas["Brief"];
export type BelieveAnswer = Schemas["BelieveAnswer"];
export type SearchAnswer = Schemas["SearchAnswer"];
export type Hit = Schemas["Hit"];
export type ImportAnswer = Schemas["ImportAnswer"];
export type Effects = Schemas["Effects"];
export type Label = Schemas["Label"];
export type Lifecycle = Schemas["Lifecycle"];
export type Kind = Schemas["Kind"];
export type LiveEvent = Omit<Schemas["Event"], "kind"> & { kind: string };
/** A verdict that was given while somebody listened; it is in no record. */
export type Verdict = Schemas["VerdictEvent"];

export * from "./looking";
export * from "./reviewing";
