/** A file may be dropped anywhere: the service on this machine reads it, and the page shows it. */
import { Icon } from "./Icon";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { address, ask, type Refusal } from "../api/http";
import type { ImportAnswer } from "../api/types";
import { linkToTalk } from "../model/route";
import { go, refused } from "./hooks";
import { Failure } from "./States";

type Taken =
  | { state: "idle" }
  | { state: "reading"; name: string }
  | { state: "failed"; error: Refusal; file: File }
  | { state: "read"; answer: ImportAnswer };

export function DropZone({ children }: { children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const [taken, setTaken] = useState<Taken>({ state: "idle" });
  const depth = useRef(0);
  const take = useCallback((file: File, id = nameOf(file), conversation = "") => {
    setTaken({ state: "reading", name: file.name });
    readIn(file, id, conversation)
      .then((answer) => {
        setTaken({ state: "read", answer });
        go(linkToTalk(answer.id));
      })
      .catch((error: unknown) => setTaken({ state: "failed", error: refused(error), file }));
  }, []);
  useEffect(() => {
    const onAsk = (event: Event) => take((event as CustomEvent<File>).detail);
    window.addEventListener("upheld-file", onAsk);
    return () => window.removeEventListener("upheld-file", onAsk);
  }, [take]);
  const has = (event: React.DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    <div
      className="frame"
      onDragEnter={(event) => {
        if (!has(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDragOver={(event) => {
        if (has(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) take(file);
      }}
    >
      {children}
      {isOver && (
        <div className="drop-over">Drop it: a transcript or an export of a chat. It is read on this machine.</div>
      )}
      <Notice taken={taken} close={() => setTaken({ state: "idle" })} again={take} />
    </div>
  );
}

/** What a conversation is called that came as a file: as the file is, without its ending. */
function nameOf(file: File): string {
  return (
    file.name
      .replace(/\.[A-Za-z0-9]{1,8}$/, "")
      .replaceAll("/", "-")
      .slice(0, 200) || "file"
  );
}

/** Ask for a file by hand, for whoever drags nothing. */
export function offerFile(file: File): void {
  window.dispatchEvent(new CustomEvent("upheld-file", { detail: file }));
}

function readIn(file: File, id: string, conversation: string): Promise<ImportAnswer> {
  return ask<ImportAnswer>(address(["conversations", "import"], { id, conversation }), { method: "POST", body: file });
}

function Notice({
  taken,
  close,
  again,
}: {
  taken: Taken;
  close: () => void;
  again: (file: File, id?: string, conversation?: string) => void;
}) {
  const [name, setName] = useState("");
  if (taken.state === "idle") return null;
  return (
    <aside className="notice" aria-live="polite" aria-label="File">
      {taken.state === "reading" && <p>Reading {taken.name} …</p>}
      {taken.state === "read" && (
        <p>
          {taken.answer.turns} turns of {taken.answer.id} are on record (read as {taken.answer.form}).{" "}
          {taken.answer.unread.length > 0 &&
            `${taken.answer.unread.length} of them could not be read; their words are kept. `}
          {taken.answer.damaged.length > 0 && `${taken.answer.damaged.length} damaged records were left out.`}
        </p>
      )}
      {taken.state === "failed" && isOfSeveral(taken.error) && (
        <Choice
          file={taken.file}
          offered={taken.error.conversations}
          choose={(id, conversation) => again(taken.file, id, conversation)}
        />
      )}
      {taken.state === "failed" && !isOfSeveral(taken.error) && (
        <>
          <Failure
            error={taken.error}
            what={`${taken.file.name} was not taken in`}
            kept="Nothing of it is on record."
          />
          <form
            className="inline"
            onSubmit={(event) => {
              event.preventDefault();
              again(taken.file, name || undefined);
            }}
          >
            <label htmlFor="drop-name">As</label>
            <input
              id="drop-name"
              placeholder="another name"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <button type="submit">Try again</button>
          </form>
        </>
      )}
      <button type="button" className="plain close" onClick={close} aria-label="Close the notice">
        <Icon name="close" />
      </button>
    </aside>
  );
}

function isOfSeveral(error: Refusal): boolean {
  return Object.keys(error.conversations).length > 0;
}

/** A file of several conversations, as chat programs export them: one is chosen, and the others stay in the file. */
function Choice({
  file,
  offered,
  choose,
}: {
  file: File;
  offered: Readonly<Record<string, string>>;
  choose: (id: string, conversation: string) => void;
}) {
  const [chosen, setChosen] = useState(Object.keys(offered)[0] ?? "");
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        choose(`${nameOf(file)}-${chosen.replaceAll("/", "-")}`.slice(0, 200), chosen);
      }}
    >
      <label htmlFor="drop-choice">Of {file.name}, take</label>
      <select id="drop-choice" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {Object.entries(offered).map(([id, title]) => (
          <option key={id} value={id}>
            {title || id}
          </option>
        ))}
      </select>
      <button type="submit">Take it in</button>
    </form>
  );
}
