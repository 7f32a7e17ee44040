import type { Flag } from "../api/types";
import { OUTCOME_WORDS } from "../model/corrections";
import { segmentsOf } from "../model/spans";

const LOOKS: Readonly<Record<string, string>> = { grounded: "look-stands", ungrounded: "look-fell", abstain: "unread" };

/** A reply with the claims in it underlined by what was found of them. */
export function Reply({ flag }: { flag: Flag }) {
  if (!flag.text) return <blockquote className="quiet">Its words were erased.</blockquote>;
  const marks = flag.claims.map((claim, index) => ({ id: String(index), span: claim.span }));
  return (
    <blockquote>
      {segmentsOf(flag.text, marks).map((segment) => {
        const claim = flag.claims[Number(segment.ids[0] ?? -1)];
        if (!claim) return <span key={segment.start}>{segment.text}</span>;
        return (
          <span key={segment.start} className={`mark ${LOOKS[claim.outcome] ?? ""}`}>
            {segment.text}
            <span className="hidden"> ({OUTCOME_WORDS[claim.outcome] ?? claim.outcome})</span>
          </span>
        );
      })}
    </blockquote>
  );
}
