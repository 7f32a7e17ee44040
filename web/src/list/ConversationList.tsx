/** The conversations of a store, and what to do when there are none. */
import { useState } from "react";
import { address, ask } from "../api/http";
import type { ConversationList as Page } from "../api/types";
import { offerFile } from "../app/DropZone";
import { useAsked } from "../app/hooks";
import { Failure, Skeleton } from "../app/States";
import { linkToTalk } from "../model/route";
import { FirstSteps, Samples } from "./Beginning";

export function ConversationList() {
  const [after, setAfter] = useState<readonly string[]>([""]);
  const [filter, setFilter] = useState("");
  const last = after[after.length - 1] as string;
  const asked = useAsked<Page>(`list ${last}`, (signal) =>
    ask(address(["conversations"], { after: last, limit: 100 }), { signal }),
  );
  if (asked.state === "failed") {
    return <Failure error={asked.error} what="The conversations could not be listed" again={asked.again} />;
  }
  if (asked.state === "asking") return <Skeleton lines={8} label="Loading the conversations" />;
  const { conversations, next } = asked.answer;
  if (conversations.length === 0 && after.length === 1) return <Nothing />;
  const wanted = filter.toLowerCase();
  const shown = conversations.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(wanted));
  return (
    <div className="column">
      <div className="head">
        <h1>Conversations</h1>
        <label className="inline">
          <span className="hidden">Filter by name</span>
          <input
            type="search"
            placeholder="Filter by name"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
        <FileButton />
      </div>
      <ul className="talks">
        {shown.map(({ id, title, version, open_flags: waiting }) => (
          <li key={id}>
            <a href={linkToTalk(id)}>
              <span className="talk-name">
                <strong>{title || id}</strong>
                {title && <span className="quiet">{id}</span>}
              </span>
              {waiting > 0 && (
                <span className="waiting">
                  <span aria-hidden="true">⚑</span> {waiting === 1 ? "1 reply waits" : `${waiting} replies wait`}
                </span>
              )}
              <span className="quiet entries">{version === 1 ? "1 entry" : `${version} entries`}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="quiet">None on this page has “{filter}” in its name.</p>}
      {(after.length > 1 || next) && (
        <nav className="pages" aria-label="Pages">
          <button type="button" disabled={after.length === 1} onClick={() => setAfter(after.slice(0, -1))}>
            Before
          </button>
          <button type="button" disabled={!next} onClick={() => next && setAfter([...after, next])}>
            More
          </button>
        </nav>
      )}
      <Samples />
    </div>
  );
}

function Nothing() {
  return (
    <div className="column beginning">
      <h1>No conversation is on record yet</h1>
      <p>Look at one that was made for this, send the first turn of your own, or drop a file anywhere on this page.</p>
      <Samples isOpen />
      <FirstSteps />
      <FileButton />
    </div>
  );
}

/** The way to a file for a keyboard, or a hand that holds a phone. */
function FileButton() {
  return (
    <label className="file">
      Open a file
      <input
        type="file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) offerFile(file);
          event.target.value = "";
        }}
      />
    </label>
  );
}
