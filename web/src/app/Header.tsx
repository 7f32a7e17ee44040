import { currentKey, keepKey } from "../api/key";
import { hashOf, type Route, type View } from "../model/route";

const VIEWS: readonly [View, string][] = [
  ["list", "Conversations"],
  ["queue", "Review"],
  ["search", "Search"],
  ["compare", "Compare"],
];

export function Header({ route }: { route: Route }) {
  const here: View = route.view === "talk" ? "list" : route.view;
  return (
    <header className="top">
      <a className="brand" href="#/">
        upheld
      </a>
      <nav aria-label="Views">
        {VIEWS.map(([view, name]) => (
          <a key={view} href={hashOf({ view })} aria-current={view === here ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {currentKey() && (
        <button type="button" className="plain" onClick={forget}>
          Forget the key
        </button>
      )}
    </header>
  );
}

function forget(): void {
  keepKey("");
  window.location.reload();
}
