/** What became of a claim: the turns that made it what it is, and the values that replaced each other. */
import type { ClaimDetail } from "../api/types";
import { whoOf } from "../model/people";
import type { Past as Kept } from "../model/replay";
import { TurnLink } from "./Ids";

interface Props {
  past: Kept;
  detail: ClaimDetail;
  select: (id: string) => void;
  moveTo: (place: number | null) => void;
}

export function Past({ past, detail, select, moveTo }: Props) {
  const { status, mentions, values } = detail;
  return (
    <section>
      <dl className="facts">
        <dt>Lifecycle</dt>
        <dd>
          {status.lifecycle}
          {detail.lifecycle_turn && (
            <>
              , since <TurnLink past={past} turn={detail.lifecycle_turn} moveTo={moveTo} />
            </>
          )}
        </dd>
        <dt>Standing</dt>
        <dd>
          {status.standing}
          {detail.standing_turn && (
            <>
              , since <TurnLink past={past} turn={detail.standing_turn} moveTo={moveTo} />
            </>
          )}
        </dd>
        {status.fallen.length > 0 && (
          <>
            <dt>Fallen under it</dt>
            <dd>{status.fallen.join(", ")}</dd>
          </>
        )}
        {mentions.length > 0 && (
          <>
            <dt>Said</dt>
            <dd>
              {mentions.map((mention, index) => (
                <span key={index} className="mention">
                  {mention.act.replace("_", " ")}
                  {mention.speaker ? `, ${whoOf(past, mention.speaker)}` : ""}{" "}
                  <TurnLink past={past} turn={mention.turn} moveTo={moveTo} />
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
      {values.length > 1 && (
        <>
          <h3>Values, oldest first</h3>
          <ol className="values">
            {values.map((value) => (
              <li key={value.id} aria-current={value.id === status.id ? "true" : undefined}>
                <button type="button" className="plain claim-link" onClick={() => select(value.id)}>
                  <b>{value.id}</b> {value.text}
                </button>{" "}
                <TurnLink past={past} turn={value.turn} moveTo={moveTo} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
