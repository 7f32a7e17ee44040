/** A box for questions of belief and knowledge, by agent. */
import { useState } from "react";
import { address, post } from "../api/http";
import type { BelieveAnswer } from "../api/types";
import { refused } from "../app/hooks";
import { whoOf } from "../model/people";
import type { Past } from "../model/replay";

type Told = { state: "none" } | { state: "told"; answer: BelieveAnswer } | { state: "failed"; words: string };

export function Formula({ past, at, id }: { past: Past; at: string; id: string }) {
  const [formula, setFormula] = useState(id);
  const [told, tell] = useState<Told>({ state: "none" });
  const submit = () => {
    post<BelieveAnswer>(address(["conversations", past.history.id, "believe"]), { formula, at })
      .then((answer) => tell({ state: "told", answer }))
      .catch((reason: unknown) => tell({ state: "failed", words: refused(reason).message }));
  };
  return (
    <section>
      <h3>Who believes it?</h3>
      <form
        className="formula"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label htmlFor="formula" className="hidden">
          Formula
        </label>
        <input
          id="formula"
          spellCheck={false}
          autoComplete="off"
          value={formula}
          onChange={(event) => setFormula(event.target.value)}
        />
        <button type="submit" disabled={formula.trim() === ""}>
          Ask
        </button>
      </form>
      <p className="quiet">
        Such as <code>{id} &amp; ~h2</code>,{" "}
        <code>
          B_{past.history.agents[0]?.id ?? "ann"} {id}
        </code>
        , <code>K_a K_b {id}</code>.
      </p>
      <div role="status">
        {told.state === "failed" && <p>{told.words}</p>}
        {told.state === "told" && <Answer past={past} answer={told.answer} />}
      </div>
    </section>
  );
}

function Answer({ past, answer }: { past: Past; answer: BelieveAnswer }) {
  return (
    <>
      {answer.holds !== null && <p>It {answer.holds ? "holds" : "does not hold"}.</p>}
      {answer.of.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">believes it</th>
              <th scope="col">knows it</th>
            </tr>
          </thead>
          <tbody>
            {answer.of.map((each) => (
              <tr key={each.agent}>
                <th scope="row">{whoOf(past, each.agent)}</th>
                <td>{each.believes ? "yes" : "no"}</td>
                <td>{each.knows ? "yes" : "no"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answer.unknown.length > 0 && <p className="quiet">Nobody introduced {answer.unknown.join(", ")}.</p>}
    </>
  );
}
