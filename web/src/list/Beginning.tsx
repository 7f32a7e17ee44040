/** The first minute: a sample one click away, and the lines that send a first turn. */
import { useState } from "react";
import { address, ask, post, type Refusal } from "../api/http";
import type { ImportAnswer, Sample } from "../api/types";
import { go, refused, useAsked, useFlash } from "../app/hooks";
import { Failure } from "../app/States";
import { linkToTalk } from "../model/route";

export function Samples({ isOpen = false }: { isOpen?: boolean }) {
  const asked = useAsked<Sample[]>("samples", (signal) => ask(address(["samples"]), { signal }));
  const [error, setError] = useState<Refusal | null>(null);
  if (asked.state !== "answered" || asked.answer.length === 0) return null;
  const load = (sample: Sample) => {
    setError(null);
    post<ImportAnswer>(address(["samples", sample.id]), {})
      .then((answer) => go(linkToTalk(answer.id)))
      .catch((reason: unknown) => setError(refused(reason)));
  };
  const list = (
    <ul className="samples">
      {asked.answer.map((sample) => (
        <li key={sample.id}>
          <button type="button" className="sample" onClick={() => load(sample)}>
            <strong>{sample.title}</strong>
            <span>{sample.about}</span>
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <section className="sample-section">
      {isOpen ? (
        <>
          <h2>Samples</h2>
          {list}
        </>
      ) : (
        <details>
          <summary>Samples</summary>
          {list}
        </details>
      )}
      {error && <Failure error={error} what="The sample was not loaded" />}
    </section>
  );
}

export function FirstSteps() {
  const [word, flash] = useFlash();
  const base = window.location.origin;
  const lines = [
    `curl ${base}/v1/conversations -H 'content-type: application/json' -d '{"id": "first"}'`,
    `curl ${base}/v1/conversations/first/turns -H 'content-type: application/json' \\`,
    `  -d '{"speaker": "ana", "operations": [{"op": "observe", "id": "o1", "text": "The pump is off."}]}'`,
  ].join("\n");
  return (
    <section>
      <h2>Send the first turn</h2>
      <pre tabIndex={0} aria-label="Commands that send a first turn">
        {lines}
      </pre>
      <button type="button" onClick={() => void navigator.clipboard.writeText(lines).then(() => flash("Copied"))}>
        Copy
      </button>{" "}
      <span role="status">{word}</span>
    </section>
  );
}
