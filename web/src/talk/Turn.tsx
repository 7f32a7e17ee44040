/** One moment of the transcript: a turn, something taken back, or somebody who joined. */
import { memo } from "react";
import type { Effects, Mention, Moment } from "../api/types";
import { changeWords } from "../model/briefing";
import { isAct } from "../model/graph";
import { whoOf } from "../model/people";
import type { Notes } from "../model/notes";
import type { Supposed } from "../model/preview";
import type { Past } from "../model/replay";
import { segmentsOf } from "../model/spans";
import { clock } from "../model/times";
import { ClaimMark } from "./ClaimMark";
import { NoteLines } from "./NoteLines";
import type { TipAt } from "./Tip";

export interface TurnProps {
  past: Past;
  moment: Moment;
  before: Moment | null;
  notes: Notes | null;
  place: number;
  selected: string | null;
  effects: ReadonlyMap<string, Supposed> | null;
  select: (id: string) => void;
  moveTo: (place: number | null) => void;
  setTip: (tip: TipAt | null) => void;
}

export const Turn = memo(function Turn(props: TurnProps) {
  const { past, moment, before, place, moveTo } = props;
  const isLater = moment.place > place;
  const classes = ["turn", `turn-${moment.kind}`, isLater && "later", moment.place === place && "current"];
  return (
    <article className={classes.filter(Boolean).join(" ")} aria-label={label(past, moment)}>
      {moment.session && moment.session !== before?.session && <h2 className="session">{moment.session}</h2>}
      <header>
        <span className="speaker">{moment.kind === "retraction" ? "Taken back" : whoOf(past, moment.speaker)}</span>
        {moment.kind === "retraction" && moment.speaker && (
          <span className="quiet">by {whoOf(past, moment.speaker)}</span>
        )}
        <button
          type="button"
          className="plain when"
          title="Show everything as of here"
          onClick={() => moveTo(moment.place)}
        >
          {moment.turn && moment.kind === "turn" ? moment.turn : `#${moment.place}`}
        </button>
        <When moment={moment} before={before} />
        {moment.audience && (
          <span className="badge">to {moment.audience.map((id) => whoOf(past, id)).join(", ") || "nobody"}</span>
        )}
        {moment.is_erased && <span className="badge">erased</span>}
      </header>
      <Words {...props} isLater={isLater} />
      {!isLater && moment.effects && <Fallout effects={moment.effects} select={props.select} />}
      {!isLater && props.notes && <NoteLines notes={props.notes} select={props.select} />}
    </article>
  );
});

/** The time, where it is another than that of the turn before: an import would repeat its own hour at every turn. */
function When({ moment, before }: { moment: Moment; before: Moment | null }) {
  const told = clock(moment.at || moment.recorded_at);
  if (before && told === clock(before.at || before.recorded_at)) return null;
  return (
    <time className="quiet" dateTime={moment.at || moment.recorded_at}>
      {told}
    </time>
  );
}

function Words(props: TurnProps & { isLater: boolean }) {
  const { past, moment, isLater } = props;
  if (moment.kind === "joined") return <p className="quiet">joined the conversation</p>;
  if (moment.kind === "retraction") {
    return (
      <p>
        {moment.change ? changeWords(moment.change) : "a change"}
        {moment.reason ? `: ${moment.reason}` : ""}
      </p>
    );
  }
  const inText = moment.claims.filter((mention) => mention.span !== null && past.claims.has(mention.id));
  const marks = inText.map(({ id, span }) => ({ id, span: span as [number, number] }));
  const aside = moment.claims.filter((mention) => !inText.includes(mention) && past.claims.has(mention.id));
  const asked = aside.filter(({ act }) => act === "question");
  const replaced = new Set(aside.filter(({ act }) => act === "supersede").map(({ id }) => id));
  // Whoever replaces a value gives it up as well: that is told once. So is an act that has no id of its own, with what
  // it was done to.
  const isTold = ({ act, id }: Mention) => act !== "question" && !(act === "revise" && replaced.has(id));
  const told = aside.filter((mention) => isTold(mention) && !isAct(mention));
  return (
    <>
      {moment.text && (
        <p className={`words${moment.is_unread && !isLater ? " unread" : ""}`}>
          {segmentsOf(moment.text, marks).map((segment) =>
            segment.ids.length === 0 || isLater ? (
              <span key={segment.start}>{segment.text}</span>
            ) : (
              <ClaimMark key={segment.start} {...props} ids={segment.ids} text={segment.text} />
            ),
          )}
        </p>
      )}
      {moment.is_unread && !isLater && (
        <p className="quiet">These words could not be read, so nothing in them is checked.</p>
      )}
      {told.length + asked.length > 0 && !isLater && (
        <ul className="aside">
          {asked.length > 0 && (
            <li>
              <span className="act">asks about</span>{" "}
              {asked.map(({ id }) => (
                <button key={id} type="button" className="plain id" onClick={() => props.select(id)}>
                  {id}
                </button>
              ))}
            </li>
          )}
          {told.map((mention) => (
            <li key={`${mention.act} ${mention.id}`}>
              <span className="act">{ACTS[mention.act] ?? mention.act}</span>{" "}
              <ClaimMark {...props} ids={[mention.id]} text={past.claims.get(mention.id)?.text || mention.id} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const ACTS: Readonly<Record<string, string>> = {
  observe: "observes",
  hypothesize: "supposes",
  support: "supports",
  undermine: "speaks against",
  revise: "gives up",
  expand_awareness: "brings up",
  resolve: "settles",
  subsume: "takes in",
  supersede: "replaces",
  dissent: "dissents from",
};

const FALLOUT: readonly [keyof Effects, string, string][] = [
  ["given_up", "✕", "given up"],
  ["lost", "▽", "lost its ground"],
  ["defeated", "▽", "defeated"],
  ["thinned", "▿", "lost one of its grounds"],
  ["reinstated", "▲", "back"],
];

/** What a turn did to earlier claims. */
function Fallout({ effects, select }: { effects: Effects; select: (id: string) => void }) {
  const told = FALLOUT.filter(([name]) => effects[name].length > 0);
  if (told.length === 0) return null;
  return (
    <ul className="fallout" aria-label="What this did to earlier claims">
      {told.map(([name, sign, word]) => (
        <li key={name} className={`fallout-${name}`}>
          <span aria-hidden="true">{sign}</span> {word}:{" "}
          {effects[name].slice(0, 12).map((id) => (
            <button key={id} type="button" className="plain id" onClick={() => select(id)}>
              {id}
            </button>
          ))}
          {effects[name].length > 12 && <span> and {effects[name].length - 12} more</span>}
        </li>
      ))}
    </ul>
  );
}

function label(past: Past, moment: Moment): string {
  if (moment.kind === "retraction") return `Taken back, moment ${moment.place}`;
  return [moment.turn, whoOf(past, moment.speaker)].filter(Boolean).join(", ");
}
