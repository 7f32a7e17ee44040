import type { Flag, Quote } from "../api/types";
import { linkToTalk } from "../model/route";

/** The two turns that matter, side by side. */
export function TwoTurns({ flag }: { flag: Flag }) {
  if (!flag.rests_on && !flag.ended_by) return null;
  return (
    <div className="two-turns">
      <One title="What it rests on" quote={flag.rests_on} conversation={flag.conversation} />
      <One title="What ended that" quote={flag.ended_by} conversation={flag.conversation} />
    </div>
  );
}

function One({ title, quote, conversation }: { title: string; quote: Quote | null; conversation: string }) {
  return (
    <section>
      <h2>{title}</h2>
      {quote ? (
        <>
          <p className="quiet">
            {quote.speaker} · <a href={linkToTalk(conversation, { at: quote.turn })}>{quote.turn}</a>
          </p>
          <p className="words">{quote.text}</p>
        </>
      ) : (
        <p className="quiet">Nothing on record.</p>
      )}
    </section>
  );
}
