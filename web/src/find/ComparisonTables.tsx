import type { ClaimStatus, Comparison, Status } from "../api/types";
import { LOOK_SIGNS, LOOK_WORDS, lookOf } from "../model/look";
import { linkToTalk } from "../model/route";

interface Props {
  comparison: Comparison;
  conversation: string;
  other: string;
  at: string;
}

export function ComparisonTables({ comparison, conversation, other, at }: Props) {
  const isSame = comparison.new.length + comparison.gone.length + comparison.changed.length === 0;
  if (isSame) return <p>Nothing differs.</p>;
  const query: Record<string, string> = at && !other ? { at } : {};
  return (
    <div aria-live="polite">
      <Claims
        title={other ? `Only in ${other}` : "New"}
        claims={comparison.new}
        conversation={other || conversation}
        query={query}
      />
      <Claims
        title={other ? `Only in ${conversation}` : "Gone"}
        claims={comparison.gone}
        conversation={conversation}
        query={{}}
      />
      {comparison.changed.length > 0 && (
        <section>
          <h2>Stands otherwise ({comparison.changed.length})</h2>
          <div className="wide">
            <table className="stack">
              <thead>
                <tr>
                  <th scope="col">Claim</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </tr>
              </thead>
              <tbody>
                {comparison.changed.map(({ claim, text, before, after }) => (
                  <tr key={claim}>
                    <td>
                      <a href={linkToTalk(conversation, { ...query, claim })}>
                        <b>{claim}</b> {text}
                      </a>
                    </td>
                    <td>{words(before)}</td>
                    <td className={after.standing === "in" ? "holds" : "fails"}>{words(after)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </div>
  );
}

function Claims({
  title,
  claims,
  conversation,
  query,
}: {
  title: string;
  claims: ClaimStatus[];
  conversation: string;
  query: Record<string, string>;
}) {
  if (claims.length === 0) return null;
  return (
    <section>
      <h2>
        {title} ({claims.length})
      </h2>
      <div className="wide">
        <table className="stack">
          <thead>
            <tr>
              <th scope="col">Claim</th>
              <th scope="col">Stands</th>
              <th scope="col">Turn</th>
            </tr>
          </thead>
          <tbody>
            {claims.map((claim) => (
              <tr key={claim.id}>
                <td>
                  <a href={linkToTalk(conversation, { ...query, claim: claim.id })}>
                    <b>{claim.id}</b> {claim.text}
                  </a>
                </td>
                <td>{standing(claim)}</td>
                <td className="quiet">{claim.turn}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function standing(claim: ClaimStatus): string {
  const change = {
    place: 0,
    claim: claim.id,
    standing: claim.standing,
    lifecycle: claim.lifecycle,
    needs_reevaluation: false,
  };
  const look = lookOf(claim.kind, change);
  return `${LOOK_SIGNS[look]} ${LOOK_WORDS[look]}`;
}

function words(status: Status): string {
  return `${status.lifecycle}, ${status.standing}${status.needs_reevaluation ? ", look at again" : ""}`;
}
