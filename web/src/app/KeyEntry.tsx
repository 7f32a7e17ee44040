import { useState } from "react";
import { keepKey } from "../api/key";

/** Asks for the key that the service wants. */
export function KeyEntry() {
  const [key, setKey] = useState("");
  return (
    <form
      className="key-entry"
      onSubmit={(event) => {
        event.preventDefault();
        keepKey(key.trim());
      }}
    >
      <h1>This service asks for a key</h1>
      <p>
        Whoever runs it makes one with <code>upheld keys new</code>. It is kept in this tab until the tab is closed, and
        sent to this service alone.
      </p>
      <label htmlFor="key">Key</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="submit" className="primary">
        Use it
      </button>
    </form>
  );
}
