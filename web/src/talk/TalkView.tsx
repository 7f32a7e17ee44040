/** One conversation: what was said on the left, what rests on what on the right, and the time below both. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Change, Delta } from "../api/types";
import { replaceQuery, useMedia } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { GraphView } from "../graph/GraphView";
import type { Heard } from "../model/notes";
import { effectsOf } from "../model/preview";
import { turnAt, type Past } from "../model/replay";
import type { Route } from "../model/route";
import { Panel } from "../panel/Panel";
import { TalkHead } from "./TalkHead";
import { TimeBar } from "./TimeBar";
import { Transcript } from "./Transcript";
import { useHistory } from "./useHistory";
import { useNotes } from "./useNotes";

export interface Preview {
  change: Change;
  delta: Delta;
  /** The version of the record that it was seen on: it is done on no other. */
  version: number;
}

export function TalkView({ route }: { route: Route }) {
  const { past, error, isLive, heard, reviews, again } = useHistory(route.conversation);
  if (past) return <Talk route={route} past={past} isLive={isLive} heard={heard} reviews={reviews} />;
  if (error) return <Failure error={error} what={`${route.conversation} could not be opened`} again={again} />;
  return (
    <div className="talk" aria-busy="true">
      <div className="talk-head">
        <h1>{route.conversation}</h1>
      </div>
      <div className="halves">
        <Skeleton lines={14} label="Loading the conversation" />
        <Skeleton lines={6} label="Loading the graph" />
      </div>
    </div>
  );
}

type Tab = "transcript" | "graph" | "claim";

interface TalkProps {
  route: Route;
  past: Past;
  isLive: boolean;
  heard: readonly Heard[];
  reviews: number;
}

function Talk({ route, past, isLive, heard, reviews }: TalkProps) {
  const notes = useNotes(past, heard, reviews);
  const [chosen, choose] = useState<number | null>(() => placeIn(past, route.query.at ?? ""));
  const [selected, setSelected] = useState<string | null>(route.query.claim || null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isAll, setAll] = useState(route.query.graph === "all");
  const [tab, setTab] = useState<Tab>("transcript");
  const [jump, setJump] = useState<{ place: number } | null>(() => begun(past, chosen, selected));
  const isNarrow = useMedia("(max-width: 760px)");
  const place = chosen === null ? past.history.place : Math.min(chosen, past.history.place);
  useAddress(route, past, { chosen, selected, isAll }, { choose, setSelected });

  const select = useCallback(
    (id: string | null, isFromTranscript = false) => {
      setSelected(id);
      setPreview(null);
      if (id !== null && !isFromTranscript) {
        const claim = past.claims.get(id);
        if (claim) setJump({ place: claim.place });
      }
    },
    [past],
  );
  const moveTo = useCallback(
    (next: number | null) => {
      choose(next !== null && next >= past.history.place ? null : next);
      setPreview(null);
      setJump({ place: next ?? past.history.place });
    },
    [past],
  );
  const effects = useMemo(() => (preview ? effectsOf(preview.delta) : null), [preview]);
  const at = turnAt(past, place);
  const show = (name: Tab) => !isNarrow || tab === name;
  return (
    <div className="talk">
      <TalkHead past={past} place={place} isLive={isLive} />
      {isNarrow && <Tabs tab={tab} setTab={setTab} hasClaim={selected !== null} />}
      <div className={`halves${selected ? " with-panel" : ""}`}>
        {show("transcript") && (
          <Transcript
            past={past}
            notes={notes}
            place={place}
            isNow={chosen === null}
            selected={selected}
            effects={effects}
            jump={jump}
            select={(id) => {
              select(id, true);
              setTab("claim");
            }}
            moveTo={moveTo}
          />
        )}
        {show("graph") && (
          <GraphView
            past={past}
            place={place}
            selected={selected}
            effects={effects}
            isAll={isAll}
            setAll={setAll}
            select={select}
          />
        )}
        {selected !== null && show("claim") && (
          <Panel
            key={selected}
            past={past}
            place={place}
            at={at}
            id={selected}
            preview={preview}
            setPreview={setPreview}
            select={select}
            moveTo={moveTo}
          />
        )}
      </div>
      <TimeBar past={past} place={place} isNow={chosen === null} moveTo={moveTo} />
    </div>
  );
}

function Tabs({ tab, setTab, hasClaim }: { tab: Tab; setTab: (tab: Tab) => void; hasClaim: boolean }) {
  const names: readonly [Tab, string][] = [
    ["transcript", "Transcript"],
    ["graph", "Graph"],
    ["claim", "Claim"],
  ];
  return (
    <div className="tabs" role="group" aria-label="What is shown">
      {names.map(([name, word]) => (
        <button
          key={name}
          type="button"
          aria-pressed={tab === name}
          disabled={name === "claim" && !hasClaim}
          onClick={() => setTab(name)}
        >
          {word}
        </button>
      ))}
    </div>
  );
}

interface Where {
  chosen: number | null;
  selected: string | null;
  isAll: boolean;
}

/** Keep the address equal to what is shown, so that it can be sent to somebody; and follow it where it is changed. */
function useAddress(
  route: Route,
  past: Past,
  where: Where,
  set: { choose: (place: number | null) => void; setSelected: (id: string | null) => void },
): void {
  const { chosen, selected, isAll } = where;
  const at = chosen === null ? "" : nameOf(past, chosen);
  const told = useRef({ at: route.query.at ?? "", claim: route.query.claim ?? "" });
  const asked = { at: route.query.at ?? "", claim: route.query.claim ?? "" };
  useEffect(() => {
    if (asked.at === told.current.at && asked.claim === told.current.claim) return;
    told.current = { at: asked.at, claim: asked.claim };
    set.choose(placeIn(past, asked.at));
    set.setSelected(asked.claim || null);
    // Only a changed address is followed; the setters and the past are those of the same view.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [asked.at, asked.claim]);
  useEffect(() => {
    // A hand on the time bar would otherwise write an address a frame; browsers stop listening to that.
    const timer = setTimeout(() => {
      told.current = { at, claim: selected ?? "" };
      replaceQuery(route, { at, claim: selected ?? "", graph: isAll ? "all" : "" });
    }, 200);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [at, selected, isAll]);
}

/** Where a link that names a moment or a claim takes its reader. */
function begun(past: Past, chosen: number | null, selected: string | null): { place: number } | null {
  if (chosen !== null) return { place: chosen };
  const claim = selected === null ? undefined : past.claims.get(selected);
  return claim ? { place: claim.place } : null;
}

/** A moment by its turn, or by its place where it is no turn. */
function nameOf(past: Past, place: number): string {
  const moment = past.history.moments[place - 1];
  return moment?.kind === "turn" && moment.turn ? moment.turn : `@${place}`;
}

function placeIn(past: Past, name: string): number | null {
  if (!name) return null;
  if (/^@\d+$/.test(name)) return Number(name.slice(1));
  return past.places.get(name) ?? null;
}
