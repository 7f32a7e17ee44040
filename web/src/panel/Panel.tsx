/** All about one claim: how it stands and since when, why, what rests on it, and what would happen without it. */
import { Icon } from "../app/Icon";
import { useEffect, useRef, useState } from "react";
import { address, ask } from "../api/http";
import type { ClaimDetail, Explanation } from "../api/types";
import { useAsked } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { LOOK_SIGNS, lookAt, standingWords } from "../model/look";
import { whoOf } from "../model/people";
import { standingAt, type Past } from "../model/replay";
import type { Preview } from "../talk/TalkView";
import { Formula } from "./Formula";
import { Ids } from "./Ids";
import { Past as Lives } from "./Lives";
import { WhatIf } from "./WhatIf";
import { Why } from "./Why";

interface Props {
  past: Past;
  place: number;
  /** The turn to ask at; empty: now. */
  at: string;
  id: string;
  preview: Preview | null;
  setPreview: (preview: Preview | null) => void;
  select: (id: string | null) => void;
  moveTo: (place: number | null) => void;
}

/** A hand on the time bar moves faster than anybody reads: the service is asked once it rests. */
const REST = 180;

export function Panel({ past, place, at, id, preview, setPreview, select, moveTo }: Props) {
  const claim = past.claims.get(id);
  const rested = useRested(`${at}\n${past.history.version}`, REST);
  const when = rested.split("\n", 1)[0] ?? "";
  const isThere = claim !== undefined && claim.place <= place;
  const name = (what: string) => (isThere ? `${what} ${past.history.id} ${id} ${rested}` : "");
  const detail = useAsked<ClaimDetail>(name("detail"), (signal) =>
    ask(address(["conversations", past.history.id, "claims", id], { at: when }), { signal }),
  );
  const why = useAsked<Explanation>(name("why"), (signal) =>
    ask(address(["conversations", past.history.id, "explain"], { claim: id, at: when }), { signal }),
  );
  const top = useRef<HTMLHeadingElement>(null);
  const standing = standingAt(past, id, place);
  return (
    <aside className="panel" aria-label={`Claim ${id}`}>
      <div className="panel-head">
        <h2 ref={top} tabIndex={-1}>
          {id} <span className="quiet">{claim?.kind}</span>
        </h2>
        <button type="button" className="plain close" onClick={() => select(null)} aria-label="Close the claim">
          <Icon name="close" />
        </button>
      </div>
      {!claim && <p>There is no claim of this name here.</p>}
      {claim && (
        <>
          <blockquote>{claim.text || "(no words of its own)"}</blockquote>
          <p className="panel-standing">
            <span aria-hidden="true">{LOOK_SIGNS[lookAt(past, id, place)]}</span> {standingWords(claim.kind, standing)}
            {claim.speaker && <span className="quiet"> · put forward by {whoOf(past, claim.speaker)}</span>}
          </p>
        </>
      )}
      {claim && !isThere && <p className="quiet">At the chosen moment nobody had said it yet.</p>}
      {claim && isThere && (
        <>
          {detail.state === "answered" && <Lives past={past} detail={detail.answer} select={select} moveTo={moveTo} />}
          {detail.state === "failed" && detail.error.status !== 404 && (
            <Failure error={detail.error} what="Its past could not be read" again={detail.again} />
          )}
          <section>
            <h3>Why</h3>
            {why.state === "asking" && <Skeleton lines={3} label="Asking why" />}
            {why.state === "failed" && why.error.status !== 404 && (
              <Failure error={why.error} what="The reason could not be read" again={why.again} />
            )}
            {why.state === "failed" && why.error.status === 404 && (
              <p className="quiet">This is an act, not a claim: it stands by itself.</p>
            )}
            {why.state === "answered" && <Why past={past} explanation={why.answer} select={select} moveTo={moveTo} />}
          </section>
          {detail.state === "answered" && (
            <section>
              <h3>What rests on it</h3>
              {detail.answer.rests_on_it.length > 0 ? (
                <Ids past={past} ids={detail.answer.rests_on_it} select={select} />
              ) : (
                <p className="quiet">Nothing, directly.</p>
              )}
            </section>
          )}
          <WhatIf past={past} at={at} id={id} preview={preview} setPreview={setPreview} select={select} />
          <Formula past={past} at={at} id={id} />
        </>
      )}
    </aside>
  );
}

/** A value once it has not changed for a moment. */
function useRested(value: string, wait: number): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return rested;
}
