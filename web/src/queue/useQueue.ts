import { useEffect, useState } from "react";
import { address, ask } from "../api/http";
import type { FlagPage, FlagSummary } from "../api/types";
import { useAsked, type Asked } from "../app/hooks";

const PAGE = 100;
/** The most that one question gives. */
const MOST = 1000;
const EVERY = 5000;
const NONE: readonly FlagSummary[] = [];

export interface Queue {
  asked: Asked<FlagPage>;
  flags: readonly FlagSummary[];
  /** Flags that came since: they are told of, and wait, so that nothing moves under the pointer. */
  fresh: number;
  /** Show more of the queue; null where there is no more. */
  more: (() => void) | null;
}

/** The queue as it was read, and how many flags came since. Where it is empty, what comes is shown at once. */
export function useQueue(status: string): Queue {
  const [limit, setLimit] = useState(PAGE);
  const asked = useAsked<FlagPage>(`queue ${status}`, (signal) =>
    ask(address(["queue"], { status, limit }), { signal }),
  );
  const page = asked.state === "answered" ? asked.answer : null;
  const [news, setNews] = useState<{ of: FlagPage; count: number } | null>(null);
  const { again } = asked;
  useEffect(() => {
    if (!page) return undefined;
    const stop = new AbortController();
    const timer = setInterval(() => {
      if (document.hidden) return;
      ask<FlagPage>(address(["queue"], { status, limit }), { signal: stop.signal })
        .then(({ flags }) => {
          const count = freshIn(flags, page.flags);
          if (count > 0 && page.flags.length === 0) again();
          else setNews({ of: page, count });
        })
        // What is on the screen stays, and the next look may find the service again.
        .catch(() => undefined);
    }, EVERY);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [page, status, limit, again]);
  const more = () => {
    setLimit(limit + PAGE);
    again();
  };
  return {
    asked,
    flags: page?.flags ?? NONE,
    fresh: news && news.of === page ? news.count : 0,
    more: page?.next && limit < MOST ? more : null,
  };
}

/** How many are newer than all that are shown: one that merely moved up, since others were decided, is not new. */
export function freshIn(flags: readonly FlagSummary[], shown: readonly FlagSummary[]): number {
  const last = shown.reduce((latest, flag) => (flag.flagged_at > latest ? flag.flagged_at : latest), "");
  return flags.filter((flag) => flag.flagged_at > last).length;
}
