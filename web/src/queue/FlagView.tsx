/** One flagged reply: its words, the one-line reason, the two turns that matter, and the decision. */
import { useImperativeHandle, useRef, useState, type Ref } from "react";
import { address, ask, post, type Refusal } from "../api/http";
import type { Flag, ReviewOutcome } from "../api/types";
import { refused, useAsked } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { begunWith, corrected, OUTCOME_WORDS, type Correction } from "../model/corrections";
import { linkToTalk, type Route } from "../model/route";
import { ClaimTable } from "./ClaimTable";
import { Reply } from "./Reply";
import { Steps } from "./Steps";
import { TwoTurns } from "./TwoTurns";

export interface FlagHandle {
  decide: (outcome: ReviewOutcome) => void;
  edit: () => void;
  note: () => void;
}

interface Props {
  route: Route;
  who: string;
  decided: () => void;
  ref: Ref<FlagHandle>;
}

export function FlagView({ route, who, decided, ref }: Props) {
  const { conversation, flag } = route;
  const path = ["conversations", conversation, "flags", flag];
  const asked = useAsked<Flag>(`flag ${conversation} ${flag}`, (signal) => ask(address(path), { signal }));
  if (asked.state === "asking") return <Skeleton lines={8} label="Loading the flag" />;
  if (asked.state === "failed") {
    return <Failure error={asked.error} what="The flag could not be read" again={asked.again} />;
  }
  return (
    <Decide
      key={asked.answer.version}
      flag={asked.answer}
      path={path}
      who={who}
      decided={decided}
      again={asked.again}
      handle={ref}
    />
  );
}

interface DecideProps {
  flag: Flag;
  path: readonly string[];
  who: string;
  decided: () => void;
  again: () => void;
  handle: Ref<FlagHandle>;
}

function Decide({ flag, path, who, decided, again, handle }: DecideProps) {
  const [error, setError] = useState<Refusal | null>(null);
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  const [edited, setEdited] = useState<Correction[] | null>(null);
  const noteBox = useRef<HTMLTextAreaElement>(null);
  const isNamed = who.trim() !== "";
  const step = (name: string, body: Record<string, unknown>, after: () => void) => {
    if (!isNamed) {
      setError(refused(new Error("Say above as whom you review: the name goes on record with the decision.")));
      return;
    }
    setError(null);
    post<unknown>(address([...path, name]), { by: who.trim(), ...body })
      .then(after)
      .catch((why: unknown) => setError(refused(why)));
  };
  const decide = (outcome: ReviewOutcome) => {
    const claims = edited === null ? null : corrected(flag.claims, edited);
    step("decision", { outcome, reason, claims, expected_version: flag.version }, decided);
  };
  useImperativeHandle(handle, () => ({
    decide,
    edit: () => setEdited(edited === null ? begunWith(flag.claims) : null),
    note: () => noteBox.current?.focus(),
  }));
  return (
    <article className="flag" aria-label="Flagged reply">
      <p className="flag-line">
        <span className={`outcome outcome-${flag.outcome}`}>{OUTCOME_WORDS[flag.outcome]}</span> {flag.line}
      </p>
      <Reply flag={flag} />
      <p className="quiet">
        {flag.speaker && `${flag.speaker}, `}after {flag.turn ?? "nothing was said"} of{" "}
        <a href={linkToTalk(flag.conversation, flag.turn ? { at: flag.turn } : {})}>{flag.conversation}</a>
        {flag.note && ` · “${flag.note}”`}
      </p>
      <TwoTurns flag={flag} />
      <ClaimTable flag={flag} edited={edited} edit={setEdited} />
      <div className="decide">
        <label htmlFor="why">Reason (goes on record)</label>
        <input id="why" value={reason} onChange={(event) => setReason(event.target.value)} />
        <div className="buttons">
          <button type="button" className="for" onClick={() => decide("grounded")}>
            Grounded after all <kbd>g</kbd>
          </button>
          <button type="button" className="against" onClick={() => decide("ungrounded")}>
            Ungrounded <kbd>u</kbd>
          </button>
          <button type="button" onClick={() => decide("could_not_tell")}>
            Could not tell
          </button>
          <button
            type="button"
            onClick={() => setEdited(edited === null ? begunWith(flag.claims) : null)}
            aria-pressed={edited !== null}
          >
            Edit the match <kbd>e</kbd>
          </button>
          {flag.assignee !== who.trim() && isNamed && (
            <button
              type="button"
              onClick={() => step("assignment", { to: who.trim(), expected_version: flag.version }, again)}
            >
              Take it
            </button>
          )}
        </div>
        {error && <Failure error={error} what="It was not put on record" again={again} />}
      </div>
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault();
          step("comments", { text: note.trim() }, again);
        }}
      >
        <label htmlFor="note">
          Note <kbd>n</kbd>
        </label>
        <textarea
          id="note"
          ref={noteBox}
          rows={2}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        <button type="submit" disabled={note.trim() === ""}>
          Add the note
        </button>
      </form>
      <Steps steps={flag.history} />
    </article>
  );
}
