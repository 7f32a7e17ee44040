import type { Past } from "../model/replay";
import { countsAt, LOOK_WORDS, LOOKS } from "../model/look";
import { hashOf } from "../model/route";
import { Drop } from "./Drop";
import { Export } from "./Export";

/** Title, how claims stand at this moment (which is the legend of the strokes as well), and the ways out. */
export function TalkHead({ past, place, isLive }: { past: Past; place: number; isLive: boolean }) {
  const { history } = past;
  const counts = countsAt(past, place);
  return (
    <div className="talk-head">
      <h1>{history.title || history.id}</h1>
      <ul className="legend" aria-label="Claims at this moment">
        {LOOKS.map((look) => (
          <li key={look}>
            <span className={`mark look-${look}`}>{LOOK_WORDS[look]}</span> <b>{counts[look]}</b>
          </li>
        ))}
      </ul>
      <div className="talk-tools">
        <span className={`live${isLive ? " on" : ""}`} role="status">
          {isLive ? "live" : "not live"}
        </span>
        <a className="button" href={hashOf({ view: "compare", conversation: history.id })}>
          Compare
        </a>
        <Export conversation={history.id} />
        <Drop past={past} />
      </div>
    </div>
  );
}
