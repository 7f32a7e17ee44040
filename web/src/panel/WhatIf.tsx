/** What would happen if a claim were taken back: seen first, done only with a reason. */
import { useState } from "react";
import { address, post, type Refusal } from "../api/http";
import type { AffectedAnswer, Change, RetractionAnswer } from "../api/types";
import { refused } from "../app/hooks";
import { Reason } from "../app/Reason";
import { Failure } from "../app/States";
import { changeWords } from "../model/briefing";
import { effectsOf, SUPPOSED_SIGNS, SUPPOSED_WORDS, type Supposed } from "../model/preview";
import type { Past } from "../model/replay";
import type { Preview } from "../talk/TalkView";
import { BriefSheet } from "./BriefSheet";
import { Ids } from "./Ids";

interface Props {
  past: Past;
  at: string;
  id: string;
  preview: Preview | null;
  setPreview: (preview: Preview | null) => void;
  select: (id: string) => void;
}

export function WhatIf({ past, at, id, preview, setPreview, select }: Props) {
  const [error, setError] = useState<Refusal | null>(null);
  const [isBrief, setBrief] = useState(false);
  const turn = past.claims.get(id)?.turn ?? null;
  const suppose = (change: Change) => {
    setError(null);
    const { version } = past.history;
    post<AffectedAnswer>(address(["conversations", past.history.id, "affected"]), { change, at })
      .then(({ delta }) => setPreview({ change, delta, version }))
      .catch((reason: unknown) => setError(refused(reason)));
  };
  return (
    <section className="what-if">
      <h3>What if …</h3>
      <div className="buttons">
        <button type="button" onClick={() => suppose({ act: "retract", target: id })}>
          it were taken back?
        </button>
        <button type="button" onClick={() => suppose({ act: "falsify", target: id })}>
          it were false?
        </button>
        {turn && (
          <button type="button" onClick={() => suppose({ act: "withdraw", source: turn })}>
            {turn} did not count?
          </button>
        )}
      </div>
      {error && <Failure error={error} what="It could not be tried" />}
      {preview && (
        <div className="preview" role="region" aria-label="Preview">
          <p>
            <strong>If {changeWords(preview.change)}:</strong> {sumOf(preview)}
          </p>
          <Moves preview={preview} past={past} select={select} />
          <div className="buttons">
            <button type="button" onClick={() => setBrief(true)}>
              Brief
            </button>
            <button type="button" className="plain" onClick={() => setPreview(null)}>
              Leave it
            </button>
          </div>
          {at === "" ? (
            <DoIt past={past} preview={preview} done={() => setPreview(null)} again={() => suppose(preview.change)} />
          ) : (
            <p className="quiet">It can be done at the present moment only: press Now first.</p>
          )}
          {isBrief && <BriefSheet past={past} change={preview.change} at={at} close={() => setBrief(false)} />}
        </div>
      )}
    </section>
  );
}

function sumOf({ delta }: Preview): string {
  const counts: Record<Supposed, number> = { falls: 0, thinner: 0, back: 0 };
  for (const supposed of effectsOf(delta).values()) counts[supposed] += 1;
  const told = [
    counts.falls > 0 && `${counts.falls} would fall`,
    counts.thinner > 0 && `${counts.thinner} would lose one of several grounds`,
    counts.back > 0 && `${counts.back} would come back`,
  ].filter(Boolean);
  return told.length > 0
    ? `${told.join(", ")}. Nothing has been changed.`
    : "nothing else would move. Nothing has been changed.";
}

function Moves({ preview, past, select }: { preview: Preview; past: Past; select: (id: string) => void }) {
  const effects = effectsOf(preview.delta);
  const kinds: readonly Supposed[] = ["falls", "thinner", "back"];
  return kinds.map((kind) => {
    const ids = [...effects].filter(([, supposed]) => supposed === kind).map(([id]) => id);
    if (ids.length === 0) return null;
    return (
      <div key={kind} className={`moves moves-${kind}`}>
        <h4>
          <span aria-hidden="true">{SUPPOSED_SIGNS[kind]}</span> {SUPPOSED_WORDS[kind]}
        </h4>
        <Ids past={past} ids={ids} select={select} />
      </div>
    );
  });
}

interface DoItProps {
  past: Past;
  preview: Preview;
  done: () => void;
  /** Look again what it would do, as things stand now. */
  again: () => void;
}

function DoIt({ past, preview, done, again }: DoItProps) {
  const [reason, setReason] = useState("");
  const [by, setBy] = useState("");
  // Told until it is seen anew: what could be done before that would be refused for the same reason.
  const [failed, setFailed] = useState<{ preview: Preview; error: Refusal } | null>(null);
  const [isDoing, setDoing] = useState(false);
  const act = () => {
    setFailed(null);
    setDoing(true);
    post<RetractionAnswer>(address(["conversations", past.history.id, "retractions"]), {
      change: preview.change,
      by: by || null,
      reason,
      expected_version: preview.version,
    })
      .then(done)
      .catch((why: unknown) => setFailed({ preview, error: refused(why) }))
      .finally(() => setDoing(false));
  };
  return (
    <form
      className="do-it"
      onSubmit={(event) => {
        event.preventDefault();
        act();
      }}
    >
      <Reason id="reason" label="Reason, which goes on record" reason={reason} setReason={setReason} />
      <label htmlFor="by">By</label>
      <select id="by" value={by} onChange={(event) => setBy(event.target.value)}>
        <option value="">whoever keeps the record</option>
        {past.history.agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.name || agent.id}
          </option>
        ))}
      </select>
      <button type="submit" className="grave" disabled={isDoing || reason.trim() === ""}>
        Do it
      </button>
      {failed?.preview === preview && <Failure error={failed.error} what="It was not done" again={again} />}
    </form>
  );
}
