import { useRef, useState } from "react";
import { address, send, type Refusal } from "../api/http";
import { refused } from "../app/hooks";
import { Failure } from "../app/States";

const FORMS: readonly [string, string, string][] = [
  ["yaml", "yaml", "All of it, as YAML"],
  ["json", "json", "All of it, as JSON"],
  ["text", "txt", "Words alone, as text"],
  ["chat", "json", "Words alone, as a chat"],
  ["openai", "json", "For OpenAI"],
  ["anthropic", "json", "For Anthropic"],
  ["otlp", "json", "As traces (OTLP)"],
];

/** The conversation as a file. It is fetched rather than linked to, for a link can carry no key. */
export function Export({ conversation }: { conversation: string }) {
  const [error, setError] = useState<Refusal | null>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  const save = async (form: string, ending: string) => {
    setError(null);
    try {
      const response = await send(address(["conversations", conversation, "export"], { form }));
      download(await response.blob(), `${conversation}.${ending}`);
      if (menu.current) menu.current.open = false;
    } catch (reason) {
      setError(refused(reason));
    }
  };
  return (
    <details className="menu" ref={menu}>
      <summary className="button">Export</summary>
      <div className="menu-body">
        {FORMS.map(([form, ending, word]) => (
          <button key={form} type="button" className="plain" onClick={() => void save(form, ending)}>
            {word}
          </button>
        ))}
        <button type="button" className="plain" onClick={() => window.print()}>
          Print
        </button>
        {error && <Failure error={error} what="It was not written" />}
      </div>
    </details>
  );
}

export function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
