/** The review queue: flagged replies, worst and newest first, decided one after the other by keyboard. */
import { useEffect, useRef, useState } from "react";
import { address, send } from "../api/http";
import type { FlagSummary } from "../api/types";
import { go, refused, useFlash } from "../app/hooks";
import { Empty, Failure, Skeleton } from "../app/States";
import { OUTCOME_WORDS } from "../model/corrections";
import { hashOf, type Route } from "../model/route";
import { download } from "../talk/Export";
import { FlagView, type FlagHandle } from "./FlagView";
import { Help } from "./Help";
import { useKeys } from "./useKeys";
import { useQueue } from "./useQueue";
import { useReviewer } from "./useReviewer";

const STATUSES = ["open", "decided", "all"] as const;

export function QueueView({ route }: { route: Route }) {
  const status = route.query.status ?? "open";
  const [who, setWho] = useReviewer();
  const [isHelp, setHelp] = useState(false);
  const [word, flash] = useFlash();
  const { asked, flags, fresh, more } = useQueue(status);
  const handle = useRef<FlagHandle>(null);
  const at = flags.findIndex((flag) => flag.conversation === route.conversation && flag.id === route.flag);
  const open = (flag: FlagSummary | undefined) => {
    if (flag) go(linkTo(flag, status));
  };
  useKeys({
    j: () => open(flags[at + 1]),
    k: () => open(flags[Math.max(at - 1, 0)]),
    g: () => handle.current?.decide("grounded"),
    u: () => handle.current?.decide("ungrounded"),
    e: () => handle.current?.edit(),
    n: () => handle.current?.note(),
    "?": () => setHelp(true),
  });
  const next = () => {
    const following = flags[at + 1] ?? flags[at - 1];
    flash("Decided, and on record");
    asked.again();
    go(following ? linkTo(following, status) : hashOf({ view: "queue", query: { status } }));
  };
  const save = () => {
    send(address(["queue", "export"]))
      .then(async (response) => download(await response.blob(), "review.jsonl"))
      .catch((reason: unknown) => flash(refused(reason).message));
  };
  return (
    <div className="queue">
      <div className="queue-head">
        <h1>Review</h1>
        <div className="tabs-small" role="group" aria-label="Which flags">
          {STATUSES.map((each) => (
            <a
              key={each}
              className="button"
              href={hashOf({ view: "queue", query: { status: each } })}
              aria-current={each === status}
            >
              {each}
            </a>
          ))}
        </div>
        <label className="inline reviewer">
          Reviewing as
          <input value={who} placeholder="your name" onChange={(event) => setWho(event.target.value)} />
        </label>
        <button type="button" onClick={save}>
          Export decided
        </button>
        <button type="button" onClick={() => setHelp(true)}>
          Keys ?
        </button>
        <span role="status">{word}</span>
      </div>
      {asked.state === "failed" && (
        <Failure error={asked.error} what="The queue could not be read" again={asked.again} />
      )}
      {asked.state === "asking" && <Skeleton lines={8} label="Loading the queue" />}
      {asked.state === "answered" && flags.length === 0 && <Nothing status={status} />}
      {flags.length > 0 && (
        <div className="queue-halves">
          <FlagList flags={flags} at={at} status={status} fresh={fresh} refresh={asked.again} more={more} />
          {route.flag ? (
            <FlagView key={`${route.conversation} ${route.flag}`} ref={handle} route={route} who={who} decided={next} />
          ) : (
            <p className="queue-hint quiet">Press j for the first, or choose one.</p>
          )}
        </div>
      )}
      {isHelp && <Help close={() => setHelp(false)} />}
    </div>
  );
}

function linkTo(flag: FlagSummary, status: string): string {
  return hashOf({ view: "queue", conversation: flag.conversation, flag: flag.id, query: { status } });
}

interface ListProps {
  flags: readonly FlagSummary[];
  at: number;
  status: string;
  fresh: number;
  refresh: () => void;
  more: (() => void) | null;
}

function FlagList({ flags, at, status, fresh, refresh, more }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <div className="flag-side">
      {fresh > 0 && (
        <button type="button" className="pill" onClick={refresh}>
          {fresh} new
        </button>
      )}
      <ol className="flags" ref={list} aria-label="Flagged replies">
        {flags.map((flag, index) => (
          <li key={`${flag.conversation} ${flag.id}`}>
            <a href={linkTo(flag, status)} aria-current={index === at ? "true" : undefined}>
              <span className={`outcome outcome-${flag.outcome}`}>{OUTCOME_WORDS[flag.outcome]}</span>
              <span className="flag-text">{flag.text || "(erased)"}</span>
              <span className="quiet">{[flag.line, flag.conversation, flag.assignee].filter(Boolean).join(" · ")}</span>
            </a>
          </li>
        ))}
        {more && (
          <li className="more">
            <button type="button" onClick={more}>
              More
            </button>
          </li>
        )}
      </ol>
    </div>
  );
}

function Nothing({ status }: { status: string }) {
  return (
    <Empty title={status === "open" ? "Nothing waits for a decision" : "Nothing is here"}>
      <p className="quiet">
        A reply comes here when it is flagged: by a guard, or by a check that asks for it (<code>"flag": true</code>).
      </p>
    </Empty>
  );
}
