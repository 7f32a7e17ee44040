import type { Flag, FlaggedClaim, ReviewOutcome } from "../api/types";
import { OUTCOME_WORDS, type Correction } from "../model/corrections";
import { linkToTalk } from "../model/route";

interface Props {
  flag: Flag;
  edited: Correction[] | null;
  edit: (edited: Correction[]) => void;
}

const OUTCOMES: readonly ReviewOutcome[] = ["grounded", "ungrounded", "could_not_tell"];

/** Each claim of the reply: what it was matched with, what was found then and what is found now; or what it should be. */
export function ClaimTable({ flag, edited, edit }: Props) {
  if (flag.claims.length === 0) return <p className="quiet">No claim was found in it. {flag.abstained}</p>;
  const change = (index: number, part: Partial<Correction>) => {
    if (edited) edit(edited.map((each, place) => (place === index ? { ...each, ...part } : each)));
  };
  return (
    <div className="wide">
      <table className="claims">
        <thead>
          <tr>
            <th scope="col">Claim</th>
            <th scope="col">Matched with</th>
            <th scope="col">{edited ? "It is" : "Then"}</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {flag.claims.map((claim, index) => {
            const row = edited?.[index];
            return (
              <tr key={index}>
                <td>{claim.text}</td>
                {row ? (
                  <>
                    <td>
                      <input
                        aria-label={`Claims that “${claim.text}” rests on`}
                        value={row.literals}
                        autoFocus={index === 0}
                        onChange={(event) => change(index, { literals: event.target.value })}
                      />
                    </td>
                    <td>
                      <select
                        aria-label={`What “${claim.text}” is`}
                        value={row.outcome}
                        onChange={(event) => change(index, { outcome: event.target.value as ReviewOutcome })}
                      >
                        {OUTCOMES.map((outcome) => (
                          <option key={outcome} value={outcome}>
                            {OUTCOME_WORDS[outcome]}
                          </option>
                        ))}
                      </select>
                    </td>
                  </>
                ) : (
                  <>
                    <td>
                      <Matched flag={flag} claim={claim} />
                    </td>
                    <td>{then(claim)}</td>
                  </>
                )}
                <td>{now(claim)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Matched({ flag, claim }: { flag: Flag; claim: FlaggedClaim }) {
  if (claim.findings.length === 0) return <span className="quiet">nothing</span>;
  return claim.findings.map((finding) => (
    <a
      key={finding.literal}
      className="id"
      href={linkToTalk(flag.conversation, { claim: finding.literal.replace(/^~/, "") })}
    >
      {finding.literal}{" "}
    </a>
  ));
}

function then(claim: FlaggedClaim): string {
  const reason = claim.reason ? `: ${claim.reason.replaceAll("_", " ")}` : "";
  return `${OUTCOME_WORDS[claim.outcome] ?? claim.outcome}${reason}`;
}

function now(claim: FlaggedClaim): string {
  const found = claim.findings.map((finding) => finding.now?.outcome).filter((outcome) => outcome !== undefined);
  if (found.length === 0) return "–";
  const worst = found.find((outcome) => outcome !== "grounded") ?? "grounded";
  return OUTCOME_WORDS[worst] ?? worst;
}
