/** A conversation is dropped for good: what that deletes is said first, and the receipt is shown afterwards. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { address, ask, type Refusal } from "../api/http";
import type { Caller, Receipt } from "../api/types";
import { go, refused, useAsked, useFlash } from "../app/hooks";
import { Icon } from "../app/Icon";
import { Reason } from "../app/Reason";
import { Failure } from "../app/States";
import { isAct } from "../model/graph";
import type { Past } from "../model/replay";
import { hashOf } from "../model/route";
import { day } from "../model/times";
import { download } from "./Export";

/** The way to it, for whoever may: to others the service would refuse it. */
export function Drop({ past }: { past: Past }) {
  const [isOpen, setOpen] = useState(false);
  const asked = useAsked<Caller>("caller", (signal) => ask(address(["caller"]), { signal }));
  if (asked.state !== "answered" || asked.answer.role !== "admin") return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Drop
      </button>
      {isOpen && <DropSheet past={past} closed={() => setOpen(false)} />}
    </>
  );
}

function DropSheet({ past, closed }: { past: Past; closed: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  // Before what is in it takes the focus: a dialog that opens gives it to its first button.
  useLayoutEffect(() => {
    sheet.current?.showModal();
  }, []);
  // Closed by the dialog itself, so that the focus goes back to where it came from.
  const close = () => sheet.current?.close();
  const name = past.history.title || past.history.id;
  return (
    <dialog
      ref={sheet}
      className="sheet"
      aria-labelledby="drop-title"
      onClose={() => (receipt ? go(hashOf({ view: "list" })) : closed())}
    >
      <div className="panel-head">
        <h2 id="drop-title">{receipt ? `“${name}” was dropped` : `Drop “${name}”?`}</h2>
        <button type="button" className="plain close" onClick={close} aria-label={receipt ? "To the list" : "Keep it"}>
          <Icon name="close" />
        </button>
      </div>
      {receipt ? <Left receipt={receipt} close={close} /> : <Ask past={past} close={close} done={setReceipt} />}
    </dialog>
  );
}

interface AskProps {
  past: Past;
  close: () => void;
  done: (receipt: Receipt) => void;
}

function Ask({ past, close, done }: AskProps) {
  const { history } = past;
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState("");
  const [by, setBy] = useState("");
  const [error, setError] = useState<Refusal | null>(null);
  const [isDoing, setDoing] = useState(false);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const drop = () => {
    setError(null);
    setDoing(true);
    const query = { reason: reason.trim(), by: by.trim(), expected_version: history.version };
    ask<Receipt>(address(["conversations", history.id], query), { method: "DELETE" })
      .then(done)
      .catch((why: unknown) => setError(refused(why)))
      .finally(() => setDoing(false));
  };
  return (
    <form
      className="do-it"
      onSubmit={(event) => {
        event.preventDefault();
        drop();
      }}
    >
      <p>
        <strong>All of it is deleted for good:</strong> {counted(past)}; what was found about them; flagged replies,
        with what was decided; and the name {history.id} itself. Nobody can bring it back. Copies and backups are not
        reached.
      </p>
      <p>
        A receipt is all that is left. It is given once, and the service keeps no copy of it: save it when it is shown.
      </p>
      <Reason
        id="drop-reason"
        label="Reason, which stands in the receipt"
        reason={reason}
        setReason={setReason}
        field={field}
      />
      <label htmlFor="drop-by">Who asks for it (may be left out)</label>
      <input
        id="drop-by"
        autoComplete="off"
        maxLength={200}
        value={by}
        onChange={(event) => setBy(event.target.value)}
      />
      <div className="buttons">
        <button type="submit" className="grave" disabled={isDoing || reason.trim() === ""}>
          Drop it for good
        </button>
        <button type="button" onClick={close}>
          Keep it
        </button>
      </div>
      {error && <Failure error={error} what="It was not dropped" />}
    </form>
  );
}

function counted({ history }: Past): string {
  const turns = history.moments.filter((moment) => moment.kind === "turn").length;
  const claims = history.claims.filter((claim) => !isAct(claim)).length;
  return `${turns === 1 ? "1 turn" : `${turns} turns`} with ${claims === 1 ? "1 claim" : `${claims} claims`}`;
}

/** What is left of it. */
function Left({ receipt, close }: { receipt: Receipt; close: () => void }) {
  const first = useRef<HTMLButtonElement>(null);
  const [word, flash] = useFlash();
  const text = `${JSON.stringify(receipt, null, 2)}\n`;
  useEffect(() => {
    first.current?.focus();
  }, []);
  const save = () => {
    download(new Blob([text], { type: "application/json" }), `${receipt.conversation}.receipt.json`);
    flash("Saved");
  };
  const copy = () => {
    void navigator.clipboard.writeText(text).then(
      () => flash("Copied"),
      () => flash("The browser did not allow it"),
    );
  };
  return (
    <div className="receipt">
      <p>This receipt is all that is left, and it is shown once. A copy that ends in the same link was one of it.</p>
      <dl className="facts">
        <dt>Conversation</dt>
        <dd>{receipt.conversation}</dd>
        <dt>Entries</dt>
        <dd>{receipt.entries}</dd>
        <dt>Last link</dt>
        <dd>
          <code>{receipt.chain}</code>
        </dd>
        <dt>Asked by</dt>
        <dd>{receipt.by ?? "nobody was named"}</dd>
        <dt>Reason</dt>
        <dd>{receipt.reason}</dd>
        <dt>Dropped at</dt>
        <dd>
          <time dateTime={receipt.dropped_at}>{day(receipt.dropped_at)}</time>
        </dd>
      </dl>
      <div className="buttons">
        <button type="button" className="primary" ref={first} onClick={save}>
          Save the receipt
        </button>
        <button type="button" onClick={copy}>
          Copy
        </button>
        <button type="button" onClick={close}>
          To the conversations
        </button>
        <span role="status">{word}</span>
      </div>
    </div>
  );
}
