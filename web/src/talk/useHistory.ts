/** A conversation with its past, and what arrives while one looks at it. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { address, ask, type Refusal } from "../api/http";
import { follow, isVerdict } from "../api/stream";
import type { History, LiveEvent, Verdict } from "../api/types";
import { refused } from "../app/hooks";
import type { Heard } from "../model/notes";
import { extended, pastOf, type Past } from "../model/replay";

export interface Told {
  past: Past | null;
  error: Refusal | null;
  isLive: boolean;
  /** Verdicts that were given while one looked. */
  heard: readonly Heard[];
  /** Steps of reviews that were heard of: with each of them flags may be otherwise. */
  reviews: number;
  again: () => void;
}

/** After these anything may stand otherwise, at any place: the past is asked for anew. */
const REWRITES: ReadonlySet<string> = new Set(["amendment", "erasure", "erased"]);
const REVIEWS: ReadonlySet<string> = new Set(["flag", "assignment", "decision", "comment", "erasure"]);
const ADDS: ReadonlySet<string> = new Set(["opening", "meaning", "retraction"]);
/** Words come with their meaning right behind them; so long is waited for it, since words may stay without any. */
const PATIENCE = 300;

const NOTHING: readonly Heard[] = [];
/** Verdicts that are kept on the screen; a guard may give hundreds. */
const MOST_HEARD = 50;

export function useHistory(conversation: string): Told {
  const [history, setHistory] = useState<History | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const [isLive, setLive] = useState(false);
  const current = useRef<History | null>(null);

  const keep = useCallback((next: History) => {
    current.current = next;
    setHistory(next);
    setError(null);
  }, []);

  const load = useCallback(
    (signal: AbortSignal) =>
      ask<History>(address(["conversations", conversation, "history"], { after: 0 }), { signal })
        .then(keep)
        .catch((reason: unknown) => {
          if (!signal.aborted) setError(refused(reason));
        }),
    [conversation, keep],
  );

  const [heard, setHeard] = useState<readonly Heard[]>(NOTHING);
  const [reviews, setReviews] = useState(0);
  const [count, setCount] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    void load(stop.signal).then(() => {
      const begun = current.current;
      if (!begun || stop.signal.aborted) return;
      const news = newsOf(conversation, current, keep, () => load(stop.signal), stop.signal);
      const told = (event: LiveEvent | Verdict) => {
        if (isVerdict(event)) {
          const after = current.current?.place ?? 0;
          setHeard((before) => [...before.slice(1 - MOST_HEARD), { verdict: event, after }]);
          return;
        }
        if (REVIEWS.has(event.kind)) setReviews((before) => before + 1);
        news(event);
      };
      void follow(conversation, begun.version, told, setLive, stop.signal);
    });
    return () => stop.abort();
  }, [conversation, load, keep, count]);

  const past = useMemo(() => (history ? pastOf(history) : null), [history]);
  return { past, error, isLive, heard, reviews, again: useCallback(() => setCount((before) => before + 1), []) };
}

/** Make of events what to ask for: one question at a time, and one more if something came meanwhile. */
function newsOf(
  conversation: string,
  current: { current: History | null },
  keep: (history: History) => void,
  anew: () => Promise<void>,
  signal: AbortSignal,
): (event: LiveEvent) => void {
  let isAsking = false;
  let wanted: "" | "more" | "all" = "";
  const next = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    while (wanted && !signal.aborted) {
      const what = wanted;
      wanted = "";
      const before = current.current;
      try {
        if (what === "all" || !before) await anew();
        else {
          const asked = address(["conversations", conversation, "history"], { after: before.place });
          keep(extended(before, await ask<History>(asked, { signal })));
        }
      } catch {
        // What is on the screen stays; the stream goes on, and the next event asks again.
      }
    }
    isAsking = false;
  };
  const want = (what: "more" | "all") => {
    if (wanted !== "all") wanted = what;
    void next();
  };
  return ({ kind, turn }) => {
    const isKnown = current.current?.moments.some((moment) => moment.turn === turn && moment.kind === "turn");
    if (REWRITES.has(kind) || (kind === "meaning" && isKnown)) want("all");
    else if (ADDS.has(kind)) want("more");
    else if (kind === "words") setTimeout(() => want("more"), PATIENCE);
  };
}
