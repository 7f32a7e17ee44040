import { LOOK_SIGNS, LOOK_WORDS, lookAt } from "../model/look";
import { SUPPOSED_WORDS, type Supposed } from "../model/preview";
import type { Past } from "../model/replay";
import { TIP, tipFor, type TipAt } from "./Tip";

interface Props {
  past: Past;
  place: number;
  ids: readonly string[];
  text: string;
  selected: string | null;
  effects: ReadonlyMap<string, Supposed> | null;
  select: (id: string) => void;
  setTip: (tip: TipAt | null) => void;
}

/** Words that make a claim. Where several overlap, another click goes on to the next of them. */
export function ClaimMark({ past, place, ids, text, selected, effects, select, setTip }: Props) {
  const index = selected === null ? -1 : ids.indexOf(selected);
  const id = ids[Math.max(index, 0)] as string;
  const look = lookAt(past, id, place);
  const supposed = ids.map((each) => effects?.get(each)).find(Boolean);
  const classes = ["mark", `look-${look}`, index >= 0 && "selected", supposed && `supposed-${supposed}`];
  const act = () => select(ids[(index + 1) % ids.length] as string);
  return (
    <span
      role="button"
      tabIndex={0}
      className={classes.filter(Boolean).join(" ")}
      aria-pressed={index >= 0}
      aria-describedby={TIP}
      data-claim={id}
      onClick={act}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        act();
      }}
      onPointerEnter={(event) => setTip(tipFor(id, event.currentTarget))}
      onPointerLeave={() => setTip(null)}
      onFocus={(event) => setTip(tipFor(id, event.currentTarget))}
      onBlur={() => setTip(null)}
    >
      {text}
      <span className="hidden">
        {" "}
        ({id}, {LOOK_WORDS[look]}
        {supposed ? `, ${SUPPOSED_WORDS[supposed]}` : ""})
      </span>
      {look !== "stands" && (
        <sup className="sign" aria-hidden="true">
          {LOOK_SIGNS[look]}
        </sup>
      )}
    </span>
  );
}
