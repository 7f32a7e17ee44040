/** The re-evaluation brief: what a change makes people look at again, as a sheet that copies as Markdown. */
import { Icon } from "../app/Icon";
import { useEffect, useRef } from "react";
import { address, post } from "../api/http";
import type { Brief, Change } from "../api/types";
import { useAsked, useFlash } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { briefMarkdown, changeWords } from "../model/briefing";
import type { Past } from "../model/replay";
import { BriefParts } from "./BriefParts";

export function BriefSheet({ past, change, at, close }: { past: Past; change: Change; at: string; close: () => void }) {
  const sheet = useRef<HTMLDialogElement>(null);
  const [word, flash] = useFlash();
  const asked = useAsked<Brief>(`brief ${JSON.stringify(change)} ${at} ${past.history.version}`, () =>
    post(address(["conversations", past.history.id, "brief"]), { change, at }),
  );
  useEffect(() => {
    sheet.current?.showModal();
  }, []);
  const title = past.history.title || past.history.id;
  const copy = (brief: Brief) => {
    void navigator.clipboard.writeText(briefMarkdown(brief, title)).then(
      () => flash("Copied as Markdown"),
      () => flash("The browser did not allow it"),
    );
  };
  return (
    <dialog ref={sheet} className="sheet" aria-labelledby="brief-title" onClose={close}>
      <div className="panel-head">
        <h2 id="brief-title">Brief: {changeWords(change)}</h2>
        <button type="button" className="plain close" onClick={close} aria-label="Close the brief">
          <Icon name="close" />
        </button>
      </div>
      {asked.state === "asking" && <Skeleton lines={6} label="Writing the brief" />}
      {asked.state === "failed" && (
        <Failure error={asked.error} what="The brief could not be written" again={asked.again} />
      )}
      {asked.state === "answered" && (
        <>
          <BriefParts past={past} brief={asked.answer} />
          <div className="buttons">
            <button type="button" className="primary" onClick={() => copy(asked.answer)}>
              Copy as Markdown
            </button>
            <span role="status">{word}</span>
          </div>
        </>
      )}
    </dialog>
  );
}
