/** The page: its frame, and which view the address names. */
import { useEffect } from "react";
import { CompareView } from "../find/CompareView";
import { SearchView } from "../find/SearchView";
import { ConversationList } from "../list/ConversationList";
import { QueueView } from "../queue/QueueView";
import { TalkView } from "../talk/TalkView";
import type { Route } from "../model/route";
import { DropZone } from "./DropZone";
import { Header } from "./Header";
import { useIsKeyDemanded, useRoute } from "./hooks";
import { KeyEntry } from "./KeyEntry";

export function App() {
  const route = useRoute();
  const isKeyDemanded = useIsKeyDemanded();
  useEffect(() => {
    document.title = titleOf(route);
  }, [route]);
  return (
    <DropZone>
      <a className="skip" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Header route={route} />
      <main id="main" tabIndex={-1} className={`view view-${route.view}`}>
        {isKeyDemanded ? <KeyEntry /> : <Shown route={route} />}
      </main>
    </DropZone>
  );
}

function Shown({ route }: { route: Route }) {
  switch (route.view) {
    case "talk":
      return <TalkView key={route.conversation} route={route} />;
    case "queue":
      return <QueueView route={route} />;
    case "compare":
      return <CompareView route={route} />;
    case "search":
      return <SearchView route={route} />;
    case "list":
      return <ConversationList />;
  }
}

function titleOf(route: Route): string {
  const names = {
    list: "Conversations",
    talk: route.conversation,
    queue: "Review",
    compare: "Compare",
    search: "Search",
  };
  return `${names[route.view]} · upheld`;
}

// The part behind # is the address here: a plain link into the page would leave the view.
function toMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
