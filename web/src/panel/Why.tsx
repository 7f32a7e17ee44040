/** Why a claim stands: a tree down to the turns and their words, what is held against it, and what would break it. */
import type { Explanation } from "../api/types";
import { LOOK_SIGNS, lookAt } from "../model/look";
import { whoOf } from "../model/people";
import type { Past } from "../model/replay";
import { TurnLink } from "./Ids";

interface Props {
  past: Past;
  explanation: Explanation;
  select: (id: string) => void;
  moveTo: (place: number | null) => void;
}

export function Why(props: Props) {
  const { past, explanation } = props;
  const { nodes, attacks, held_by, dissent, roots } = explanation;
  return (
    <>
      {(nodes[0]?.premises.length ?? 0) > 0 ? (
        <ul className="why" aria-label="Grounds">
          {nodes[0]?.premises.map((index) => (
            <Ground key={index} {...props} index={index} above={[0]} />
          ))}
        </ul>
      ) : (
        <p className="quiet">It rests on nothing but whoever said it.</p>
      )}
      {attacks.length > 0 && (
        <>
          <h3>Held against it</h3>
          <ul className="attacks">
            {attacks.map((attack) => (
              <li key={`${attack.attacker} ${attack.kind}`}>
                <button type="button" className="plain id" onClick={() => props.select(nodeOf(attack.attacker))}>
                  {nodeOf(attack.attacker)}
                </button>{" "}
                {attack.kind},{" "}
                {attack.is_answered ? "answered" : attack.label === "in" ? "it bites" : `itself ${attack.label}`}
                {attack.accepted_by.length > 0 && `, accepted as a risk by ${attack.accepted_by.join(", ")}`}{" "}
                <TurnLink past={past} turn={attack.turn} moveTo={props.moveTo} />
              </li>
            ))}
          </ul>
        </>
      )}
      <dl className="facts">
        <dt>Held by</dt>
        <dd>{held_by.length > 0 ? held_by.map((id) => whoOf(past, id)).join(", ") : "nobody"}</dd>
        {dissent.length > 0 && (
          <>
            <dt>Dissent</dt>
            <dd>{dissent.join(", ")}</dd>
          </>
        )}
        {roots.length > 1 && (
          <>
            <dt>Sources</dt>
            <dd>{roots.map(([root, who]) => (who ? `${root} (${whoOf(past, who)})` : root)).join(", ")}</dd>
          </>
        )}
        <dt>Would break it</dt>
        <dd>{breaks(explanation)}</dd>
      </dl>
    </>
  );
}

/** The node that carries an attack: what follows a blank says which part of it does. */
function nodeOf(attacker: string): string {
  return attacker.split(" ", 1)[0] ?? attacker;
}

function breaks({ breaks_if, breaks_if_together, is_complete, is_complete_together }: Explanation): string {
  const together = breaks_if_together.map((set) => set.join(" with "));
  const all = [...breaks_if, ...together];
  const rest = is_complete && is_complete_together ? "" : ", and perhaps more";
  return all.length > 0 ? `the loss of ${all.join(", or of ")}${rest}` : `nothing that is known${rest}`;
}

function Ground(props: Props & { index: number; above: readonly number[] }) {
  const { past, explanation, index, above, select, moveTo } = props;
  const node = explanation.nodes[index];
  if (!node) return null;
  const id = node.literal.replace(/^~/, "");
  const place = node.turn === null ? undefined : past.places.get(node.turn);
  const quote = place === undefined ? "" : past.history.moments[place - 1]?.text;
  // A circle is told once.
  const deeper = node.premises.filter((each) => !above.includes(each));
  return (
    <li>
      <button type="button" className="plain claim-link" onClick={() => select(id)}>
        <span aria-hidden="true">{LOOK_SIGNS[lookAt(past, id, past.history.place)]}</span> <b>{node.literal}</b>{" "}
        {node.text}
      </button>
      <div className="quiet">
        {whoOf(past, node.speaker)} <TurnLink past={past} turn={node.turn} moveTo={moveTo} /> · {node.label}
        {node.other_justifications > 0 && ` · ${node.other_justifications} other ways to it`}
      </div>
      {quote && <q className="quote">{quote}</q>}
      {deeper.length > 0 && (
        <ul className="why">
          {deeper.map((each) => (
            <Ground key={each} {...props} index={each} above={[...above, index]} />
          ))}
        </ul>
      )}
    </li>
  );
}
