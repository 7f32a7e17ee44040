/** Under a turn: that its reply was flagged, with the way to the review, and verdicts as they are given. */
import type { FlagSummary, Verdict } from "../api/types";
import { OUTCOME_WORDS } from "../model/corrections";
import { reasonWords, type FlagNote, type Notes } from "../model/notes";
import { hashOf } from "../model/route";

export function NoteLines({ notes, select }: { notes: Notes; select: (id: string) => void }) {
  return (
    <ul className="notes" aria-label="What was found of it">
      {notes.flags.map((note) => (
        <li key={note.flag.id} className="flag-note">
          <FlagLine note={note} />
        </li>
      ))}
      {notes.verdicts.map((verdict, index) => (
        <li key={index} className="verdict">
          <VerdictLine verdict={verdict} select={select} />
        </li>
      ))}
    </ul>
  );
}

function FlagLine({ note: { flag, isSaid } }: { note: FlagNote }) {
  return (
    <>
      <a href={linkToFlag(flag)}>
        <span aria-hidden="true">⚑</span> flagged: {OUTCOME_WORDS[flag.outcome]}
      </a>
      {flag.decided && <b> · decided: {OUTCOME_WORDS[flag.decided]}</b>}
      {flag.line && <span className="quiet"> · {flag.line}</span>}
      {!isSaid && <span className="quiet"> · a reply that was not said so: {flag.text || "(erased)"}</span>}
    </>
  );
}

function VerdictLine({ verdict, select }: { verdict: Verdict; select: (id: string) => void }) {
  const ids = verdict.claims.map((literal) => literal.replace(/^[~¬]/, ""));
  return (
    <>
      <span className={`outcome outcome-${verdict.outcome}`}>{OUTCOME_WORDS[verdict.outcome]}</span>{" "}
      <span className="quiet">when it was checked just now</span>
      {verdict.reasons.length > 0 && <span> · {reasonWords(verdict.reasons)}</span>}
      {ids.slice(0, 6).map((id) => (
        <button key={id} type="button" className="plain id" onClick={() => select(id)}>
          {id}
        </button>
      ))}
    </>
  );
}

function linkToFlag(flag: FlagSummary): string {
  return hashOf({ view: "queue", conversation: flag.conversation, flag: flag.id, query: { status: "all" } });
}
