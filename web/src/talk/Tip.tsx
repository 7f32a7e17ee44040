import { LOOK_SIGNS, standingWords, lookAt } from "../model/look";
import { standingAt, type Past } from "../model/replay";
import { whoOf } from "../model/people";

export interface TipAt {
  id: string;
  left: number;
  top: number;
  /** Whether it hangs above its words, for want of room below. */
  isAbove: boolean;
}

export const TIP = "claim-tip";

/** Where the words about a marked place go: below it, inside the window. */
export function tipFor(id: string, element: Element): TipAt {
  const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
  const isAbove = box.bottom > window.innerHeight - 160;
  const left = Math.max(8, Math.min(box.left, window.innerWidth - 348));
  return { id, left, top: isAbove ? box.top - 6 : box.bottom + 6, isAbove };
}

/** A claim in its own words, beside the place where somebody made it. */
export function Tip({ past, place, at }: { past: Past; place: number; at: TipAt }) {
  const claim = past.claims.get(at.id);
  if (!claim) return null;
  return (
    <div id={TIP} role="tooltip" className={`tip${at.isAbove ? " above" : ""}`} style={{ left: at.left, top: at.top }}>
      <p>{claim.text || claim.id}</p>
      <p className="quiet">
        <span aria-hidden="true">{LOOK_SIGNS[lookAt(past, at.id, place)]} </span>
        {claim.id} · {standingWords(claim.kind, standingAt(past, at.id, place))}
        {claim.speaker ? ` · ${whoOf(past, claim.speaker)}` : ""}
      </p>
    </div>
  );
}
