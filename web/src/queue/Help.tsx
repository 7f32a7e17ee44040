import { useEffect, useRef } from "react";

const KEYS: readonly [string, string][] = [
  ["j", "the next"],
  ["k", "the one before"],
  ["g", "grounded after all"],
  ["u", "ungrounded"],
  ["e", "edit what a claim was matched with"],
  ["n", "write a note"],
  ["?", "this help"],
];

export function Help({ close }: { close: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    sheet.current?.showModal();
  }, []);
  return (
    <dialog ref={sheet} className="sheet" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl className="facts">
        {KEYS.map(([key, word]) => (
          <div key={key} className="fact">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{word}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet">
        Each decision is an entry of the record; a later one takes its place, and both stay readable.
      </p>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
