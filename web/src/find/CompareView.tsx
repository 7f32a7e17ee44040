/** Two moments of a conversation, or two conversations: what is new, what is gone, what stands otherwise. */
import { address, ask } from "../api/http";
import type { Comparison, ConversationList, History } from "../api/types";
import { go, useAsked } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { hashOf, type Route } from "../model/route";
import { ComparisonTables } from "./ComparisonTables";

export function CompareView({ route }: { route: Route }) {
  const { conversation } = route;
  const { from = "", to = "", with: other = "" } = route.query;
  const asked = useAsked<Comparison>(conversation && `compare ${conversation} ${from} ${to} ${other}`, (signal) =>
    ask(address(["conversations", conversation, "compare"], { from, to, with: other }), { signal }),
  );
  return (
    <div className="column">
      <h1>Compare</h1>
      <Choose route={route} />
      {conversation && asked.state === "asking" && <Skeleton lines={5} label="Comparing" />}
      {asked.state === "failed" && (
        <Failure error={asked.error} what="They could not be compared" again={asked.again} />
      )}
      {conversation && asked.state === "answered" && (
        <ComparisonTables comparison={asked.answer} conversation={conversation} other={other} at={to} />
      )}
    </div>
  );
}

/** What to compare: a conversation, and two of its turns or another conversation. */
function Choose({ route }: { route: Route }) {
  const { conversation } = route;
  const query = { from: route.query.from ?? "", to: route.query.to ?? "", with: route.query.with ?? "" };
  const names = useAsked<ConversationList>("compare names", (signal) =>
    ask(address(["conversations"], { limit: 1000 }), { signal }),
  );
  const history = useAsked<History>(conversation && `turns ${conversation}`, (signal) =>
    ask(address(["conversations", conversation, "history"], { after: 0 }), { signal }),
  );
  const ids = names.state === "answered" ? names.answer.conversations.map(({ id }) => id) : [];
  const moments = conversation && history.state === "answered" ? history.answer.moments : [];
  const turns = moments.flatMap((moment) =>
    moment.kind === "turn" && moment.turn ? [{ id: moment.turn, who: moment.speaker }] : [],
  );
  const set = (name: "from" | "to" | "with") => (event: React.ChangeEvent<HTMLSelectElement>) => {
    // Beside another conversation "to" would be one of its turns.
    const change = name === "with" ? { with: event.target.value, to: "" } : { [name]: event.target.value };
    go(hashOf({ view: "compare", conversation, query: { ...query, ...change } }));
  };
  return (
    <div className="search-form">
      <label>
        Conversation
        <select
          value={conversation}
          onChange={(event) => go(hashOf({ view: "compare", conversation: event.target.value }))}
        >
          <option value="">choose one</option>
          {(ids.includes(conversation) || !conversation ? ids : [conversation, ...ids]).map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        From
        <select value={query.from} disabled={!conversation} onChange={set("from")}>
          <option value="">the beginning</option>
          {turns.map(({ id, who }) => (
            <option key={id} value={id}>
              {id} · {who}
            </option>
          ))}
        </select>
      </label>
      <label>
        To
        <select value={query.to} disabled={!conversation || query.with !== ""} onChange={set("to")}>
          <option value="">now</option>
          {turns.map(({ id, who }) => (
            <option key={id} value={id}>
              {id} · {who}
            </option>
          ))}
        </select>
      </label>
      <label>
        Or with
        <select value={query.with} disabled={!conversation} onChange={set("with")}>
          <option value="">itself</option>
          {ids
            .filter((id) => id !== conversation)
            .map((id) => (
              <option key={id}>{id}</option>
            ))}
        </select>
      </label>
    </div>
  );
}
