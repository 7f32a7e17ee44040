/** Claims across conversations, as they stand now or as they stood on a day. */
import { useState } from "react";
import { address, ask } from "../api/http";
import type { Hit, SearchAnswer } from "../api/types";
import { go, useAsked } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { LOOK_SIGNS, LOOK_WORDS, lookOf } from "../model/look";
import { hashOf, linkToTalk, type Route } from "../model/route";
import { day } from "../model/times";

export function SearchView({ route }: { route: Route }) {
  const { words = "", as_of = "", include = "" } = route.query;
  const [typed, type] = useState(words);
  const [date, setDate] = useState(as_of.slice(0, 10));
  const [isAll, setAll] = useState(include === "superseded");
  const asked = useAsked<SearchAnswer>(words && `search ${words} ${as_of} ${include}`, (signal) =>
    ask(address(["search"], { words, as_of, include, limit: 50 }), { signal }),
  );
  const submit = () => {
    const query = {
      words: typed.trim(),
      as_of: date ? `${date}T23:59:59Z` : "",
      include: isAll ? "superseded" : "",
    };
    go(hashOf({ view: "search", query }));
  };
  return (
    <div className="column">
      <h1>Search</h1>
      <form
        className="search-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label>
          Words
          <input type="search" required value={typed} onChange={(event) => type(event.target.value)} />
        </label>
        <label>
          As of
          <input type="date" value={date} onChange={(event) => setDate(event.target.value)} />
        </label>
        <label className="inline">
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} /> also what was
          given up
        </label>
        <button type="submit" className="primary">
          Search
        </button>
      </form>
      {words && asked.state === "asking" && <Skeleton lines={5} label="Searching" />}
      {asked.state === "failed" && <Failure error={asked.error} what="It could not be searched" again={asked.again} />}
      {words && asked.state === "answered" && <Found answer={asked.answer} asOf={as_of} />}
    </div>
  );
}

function Found({ answer, asOf }: { answer: SearchAnswer; asOf: string }) {
  return (
    <section aria-label="What was found" aria-live="polite">
      <p className="quiet">
        {answer.hits.length === 0
          ? "No claim was found"
          : answer.hits.length === 1
            ? "One claim"
            : `${answer.hits.length} claims`}
        {asOf && `, as it stood at the end of ${asOf.slice(0, 10)}`}.
        {answer.unsearched.length > 0 && ` Not searched: ${answer.unsearched.join(", ")}.`}
      </p>
      {answer.hits.length > 0 && (
        <div className="wide">
          <table className="hits stack">
            <thead>
              <tr>
                <th scope="col">Claim</th>
                <th scope="col">Stands</th>
                <th scope="col">Conversation</th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
              {answer.hits.map((hit) => (
                <Row key={`${hit.conversation} ${hit.id}`} hit={hit} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row({ hit }: { hit: Hit }) {
  const change = {
    place: 0,
    claim: hit.id,
    standing: hit.label,
    lifecycle: hit.lifecycle,
    needs_reevaluation: false,
  };
  const look = lookOf(hit.kind, change);
  return (
    <tr>
      <td>
        <a href={linkToTalk(hit.conversation, { claim: hit.id })}>
          <span className={`mark look-${look}`}>{hit.text || hit.id}</span>
        </a>
      </td>
      <td>
        <span aria-hidden="true">{LOOK_SIGNS[look]}</span> {LOOK_WORDS[look]}
      </td>
      <td>{hit.conversation}</td>
      <td className="quiet">{day(hit.recorded_at)}</td>
    </tr>
  );
}
