/** Time: a slider over the moments, with ticks where something fell, came back or was decided. */
import { useEffect, useMemo, useState } from "react";
import type { Moment } from "../api/types";
import type { Past } from "../model/replay";
import { nextTick, TICK_WORDS, ticksOf, type Tick, type TickKind } from "../model/ticks";
import { whoOf } from "../model/people";
import { Icon } from "../app/Icon";

interface Props {
  past: Past;
  place: number;
  isNow: boolean;
  moveTo: (place: number | null) => void;
}

const SPEEDS = [1, 4, 16] as const;
const STEP = 900;

export function TimeBar({ past, place, isNow, moveTo }: Props) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  const { moments, place: last } = past.history;
  const ticks = useMemo(() => ticksOf(moments), [moments]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      if (place >= last) setPlaying(false);
      else moveTo(place + 1);
    }, STEP / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, place, last, speed, moveTo]);
  const play = () => {
    if (!isPlaying && place >= last) moveTo(1);
    setPlaying(!isPlaying);
  };
  const step = (to: number | null) => {
    setPlaying(false);
    moveTo(to);
  };
  const before = nextTick(ticks, place, -1);
  const after = nextTick(ticks, place, 1);
  return (
    <section className="time" aria-label="Time">
      <div className="time-buttons">
        <button
          type="button"
          onClick={() => step(before)}
          disabled={before === null}
          aria-label="Back to the change before"
        >
          <Icon name="before" />
        </button>
        <button type="button" onClick={play} aria-label={isPlaying ? "Pause" : "Play"}>
          <Icon name={isPlaying ? "pause" : "play"} />
        </button>
        <button type="button" onClick={() => step(after)} disabled={after === null} aria-label="On to the next change">
          <Icon name="after" />
        </button>
        <button
          type="button"
          className="speed"
          onClick={() => setSpeed(SPEEDS[(SPEEDS.indexOf(speed as 1) + 1) % SPEEDS.length] ?? 1)}
          aria-label={`Speed ${speed}`}
        >
          {speed}×
        </button>
      </div>
      <div className="time-line">
        <Ticks ticks={ticks} last={last} place={place} />
        <input
          type="range"
          min={0}
          max={last}
          value={place}
          aria-label="Moment of the conversation"
          aria-valuetext={momentWords(past, place)}
          onChange={(event) => step(Number(event.target.value))}
        />
      </div>
      <p className="time-words">
        <span>{momentWords(past, place)}</span>
        <button type="button" disabled={isNow} onClick={() => step(null)}>
          Now
        </button>
      </p>
    </section>
  );
}

const BANDS: Readonly<Record<TickKind, [number, number]>> = { back: [0, 9], fell: [15, 24], decided: [3, 21] };

function Ticks({ ticks, last, place }: { ticks: readonly Tick[]; last: number; place: number }) {
  const kinds: readonly TickKind[] = ["decided", "fell", "back"];
  const count = (kind: TickKind) => ticks.filter((tick) => tick.kind === kind).length;
  return (
    <svg
      className="ticks"
      viewBox={`0 0 ${Math.max(last, 1)} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={kinds.map((kind) => `${count(kind)} where something ${TICK_WORDS[kind]}`).join(", ")}
    >
      <line className="axis" x1={0} x2={last} y1={12} y2={12} />
      <line className="axis done" x1={0} x2={place} y1={12} y2={12} />
      {kinds.map((kind) => {
        const [from, to] = BANDS[kind];
        const path = ticks.filter((tick) => tick.kind === kind).map((tick) => `M${tick.place} ${from}V${to}`);
        return <path key={kind} className={`tick tick-${kind}`} d={path.join("")} />;
      })}
    </svg>
  );
}

/** "T7 · Alice · 7 of 16", for eyes and screen readers alike. */
function momentWords(past: Past, place: number): string {
  const { moments, place: last } = past.history;
  if (place === 0) return "before anybody spoke";
  const moment = moments[place - 1] as Moment | undefined;
  if (!moment) return "";
  const what = moment.kind === "turn" ? (moment.turn ?? "") : moment.kind === "retraction" ? "taken back" : "joined";
  return [what, whoOf(past, moment.speaker), `${place} of ${last}`].filter(Boolean).join(" · ");
}
