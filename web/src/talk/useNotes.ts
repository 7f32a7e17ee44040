import { useEffect, useMemo, useState } from "react";
import { address, ask } from "../api/http";
import type { FlagPage, FlagSummary } from "../api/types";
import { notesOf, type Heard, type Notes } from "../model/notes";
import type { Past } from "../model/replay";

const NONE: readonly FlagSummary[] = [];

/** What is said under the turns. Flags are asked for beside the past: without them it is all there but the marks. */
export function useNotes(past: Past, heard: readonly Heard[], reviews: number): ReadonlyMap<number, Notes> {
  const [flags, setFlags] = useState(NONE);
  const { id } = past.history;
  useEffect(() => {
    const stop = new AbortController();
    ask<FlagPage>(address(["queue"], { status: "all", conversation: id, limit: 1000 }), { signal: stop.signal })
      .then((page) => setFlags(page.flags))
      .catch(() => undefined);
    return () => stop.abort();
  }, [id, reviews]);
  return useMemo(() => notesOf(past, flags, heard), [past, flags, heard]);
}
