import type { Past } from "../model/replay";

/** Claims by name and words, each of them a way to it. */
export function Ids({
  past,
  ids,
  select,
  most = 30,
}: {
  past: Past;
  ids: readonly string[];
  select: (id: string) => void;
  most?: number;
}) {
  return (
    <ul className="ids">
      {ids.slice(0, most).map((id) => (
        <li key={id}>
          <button type="button" className="plain claim-link" onClick={() => select(id)}>
            <b>{id}</b> {past.claims.get(id)?.text}
          </button>
        </li>
      ))}
      {ids.length > most && <li className="quiet">and {ids.length - most} more</li>}
    </ul>
  );
}

/** A turn as a way to it. */
export function TurnLink({ past, turn, moveTo }: { past: Past; turn: string | null; moveTo: (place: number) => void }) {
  const place = turn === null ? undefined : past.places.get(turn);
  if (turn === null || place === undefined) return <span>{turn ?? "outside any turn"}</span>;
  return (
    <button type="button" className="plain id" title="Show everything as of here" onClick={() => moveTo(place)}>
      {turn}
    </button>
  );
}
