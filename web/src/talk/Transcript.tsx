/** The transcript as people know it, each claim in it underlined by how it stands at the chosen moment. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Moment } from "../api/types";
import type { Supposed } from "../model/preview";
import type { Notes } from "../model/notes";
import type { Past } from "../model/replay";
import { Tip, type TipAt } from "./Tip";
import { Turn } from "./Turn";
import { usePrinting } from "./usePrinting";

export interface TranscriptProps {
  past: Past;
  notes: ReadonlyMap<number, Notes>;
  place: number;
  isNow: boolean;
  selected: string | null;
  effects: ReadonlyMap<string, Supposed> | null;
  jump: { place: number } | null;
  select: (id: string) => void;
  moveTo: (place: number | null) => void;
}

/** So near to the end, in pixels, counts as being there. */
const NEAR = 48;

export function Transcript({ past, notes, place, isNow, selected, effects, jump, select, moveTo }: TranscriptProps) {
  const { moments } = past.history;
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isFirst = useRef(true);
  const [seen, setSeen] = useState(moments.length);
  const [tip, setTip] = useState<TipAt | null>(null);
  const isPrinting = usePrinting();
  const rows = useVirtualizer({
    count: moments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 104,
    overscan: 6,
    getItemKey: (index) => moments[index]?.place ?? index,
  });
  const toEnd = useCallback(() => rows.scrollToIndex(moments.length - 1, { align: "end" }), [rows, moments.length]);

  // What arrives moves nothing that somebody is reading: only who is at the end is taken along.
  useEffect(() => {
    if (isNow && isAtEnd.current && !(jump && isFirst.current)) {
      toEnd();
      setSeen(moments.length);
    }
    isFirst.current = false;
    // A jump is a wish of the reader, not a reason to go to the end.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [moments.length, notes, isNow, toEnd]);
  useEffect(() => {
    if (jump) rows.scrollToIndex(Math.max(0, jump.place - 1), { align: "center" });
    // The list changes with every arrival; only a jump that was asked for is made.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [jump]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    if (isAtEnd.current) setSeen(moments.length);
    setTip(null);
  };
  const fresh = moments.length - seen;
  const turn = (moment: Moment, index: number) => (
    <Turn
      past={past}
      moment={moment}
      before={moments[index - 1] ?? null}
      notes={notes.get(moment.place) ?? null}
      place={place}
      selected={selected}
      effects={effects}
      select={select}
      moveTo={moveTo}
      setTip={setTip}
    />
  );
  return (
    <section className="transcript" aria-label="Transcript">
      <div
        className="scroller"
        ref={scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Turns"
      >
        {isPrinting ? (
          moments.map((moment, index) => <div key={moment.place}>{turn(moment, index)}</div>)
        ) : (
          <div className="rows" style={{ height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((row) => (
              <div
                key={row.key}
                className="row"
                data-index={row.index}
                ref={rows.measureElement}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {turn(moments[row.index] as Moment, row.index)}
              </div>
            ))}
          </div>
        )}
      </div>
      {fresh > 0 && (
        <button type="button" className="pill" onClick={toEnd}>
          {fresh === 1 ? "1 new turn" : `${fresh} new turns`} ↓
        </button>
      )}
      {tip && <Tip past={past} place={place} at={tip} />}
    </section>
  );
}
