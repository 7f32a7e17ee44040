/** How a reviewer reads the claims of a reply: what they were matched with, edited. */
import type { CorrectedClaim, FlaggedClaim, ReviewOutcome } from "../api/types";

export interface Correction {
  literals: string;
  outcome: ReviewOutcome;
}

const READ_AS: Readonly<Record<string, ReviewOutcome>> = { grounded: "grounded", ungrounded: "ungrounded" };

/** What a reviewer starts from: the match as it was found. */
export function begunWith(claims: readonly FlaggedClaim[]): Correction[] {
  return claims.map((claim) => ({
    literals: claim.findings.map((finding) => finding.literal).join(", "),
    outcome: READ_AS[claim.outcome] ?? "could_not_tell",
  }));
}

/** What is sent: all claims as the reviewer reads them, or null where nothing was edited. */
export function corrected(claims: readonly FlaggedClaim[], edited: readonly Correction[]): CorrectedClaim[] | null {
  const begun = begunWith(claims);
  const isSame = edited.every((each, index) => {
    const before = begun[index];
    return before?.literals === each.literals && before.outcome === each.outcome;
  });
  if (isSame) return null;
  return claims.map((claim, index) => ({
    span: claim.span,
    literals: (edited[index]?.literals ?? "").split(/[\s,]+/).filter(Boolean),
    outcome: edited[index]?.outcome ?? "could_not_tell",
    stance: claim.stance,
    modality: claim.modality,
  }));
}

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  grounded: "grounded",
  ungrounded: "ungrounded",
  abstain: "could not be checked",
  could_not_tell: "could not tell",
};
