/** Small hooks that several views share. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Refusal } from "../api/http";
import { currentKey, isKeyDemanded, onKey } from "../api/key";
import { hashOf, routeOf, type Route } from "../model/route";

export type Asked<Answer> =
  | { state: "asking"; again: () => void }
  | { state: "answered"; answer: Answer; again: () => void; isAsking: boolean }
  | { state: "failed"; error: Refusal; again: () => void };

interface Kept<Answer> {
  question: string;
  answer?: Answer;
  error?: Refusal;
}

/** Ask a question whenever its name changes, or it is asked again; an empty name asks nothing. */
export function useAsked<Answer>(question: string, how: (signal: AbortSignal) => Promise<Answer>): Asked<Answer> {
  const [kept, keep] = useState<Kept<Answer> | null>(null);
  const [count, setCount] = useState(0);
  const latest = useRef(how);
  useEffect(() => {
    latest.current = how;
  });
  const key = useSyncExternalStore(onKey, currentKey);
  useEffect(() => {
    if (!question) return undefined;
    const stop = new AbortController();
    latest
      .current(stop.signal)
      .then((answer) => keep({ question, answer }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) keep({ question, error: refused(error) });
      });
    return () => stop.abort();
  }, [question, count, key]);
  const again = useCallback(() => setCount((before) => before + 1), []);
  if (kept === null || kept.question !== question) return { state: "asking", again };
  if (kept.error) return { state: "failed", error: kept.error, again };
  return { state: "answered", answer: kept.answer as Answer, again, isAsking: false };
}

/** Any error as a refusal that can be shown. */
export function refused(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(0, "The page failed", error instanceof Error ? error.message : String(error), "");
}

function onHash(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** Where the reader is. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(onHash, () => window.location.hash);
  return routeOf(hash);
}

/** Change the query of this address without a step in the history of the browser. */
export function replaceQuery(route: Route, change: Record<string, string>): void {
  const hash = hashOf({ ...route, query: { ...route.query, ...change } });
  if (hash === window.location.hash) return;
  window.history.replaceState(null, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

export function go(hash: string): void {
  window.location.hash = hash;
}

export function useIsKeyDemanded(): boolean {
  return useSyncExternalStore(onKey, isKeyDemanded);
}

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Show a word for a moment: that something was copied, say. */
export function useFlash(): [string, (word: string) => void] {
  const [word, setWord] = useState("");
  useEffect(() => {
    if (!word) return undefined;
    const timer = setTimeout(() => setWord(""), 2500);
    return () => clearTimeout(timer);
  }, [word]);
  return [word, setWord];
}
