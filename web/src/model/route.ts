/** Addresses of the page, kept behind the # so that the service serves one file. Every view can be linked to. */

export type View = "list" | "talk" | "queue" | "compare" | "search";

export interface Route {
  view: View;
  /** The conversation, or of the queue the conversation of the flag. */
  conversation: string;
  /** Of the queue: the flag. */
  flag: string;
  query: Readonly<Record<string, string>>;
}

const HOME: Route = { view: "list", conversation: "", flag: "", query: {} };

export function routeOf(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?", 2);
  const [view, first = "", second = ""] = path.split("/").filter(Boolean).map(decoded);
  const query = Object.fromEntries(new URLSearchParams(search));
  switch (view) {
    case "c":
      return first ? { view: "talk", conversation: first, flag: "", query } : HOME;
    case "queue":
      return { view: "queue", conversation: first, flag: second, query };
    case "compare":
      return { view: "compare", conversation: first, flag: "", query };
    case "search":
      return { ...HOME, view: "search", query };
    default:
      return { ...HOME, query };
  }
}

export function hashOf(route: Partial<Route>): string {
  const { view = "list", conversation = "", flag = "", query = {} } = route;
  const names: Record<View, string> = { list: "", talk: "c", queue: "queue", compare: "compare", search: "search" };
  const parts = [names[view], conversation, flag].filter(Boolean).map(encodeURIComponent);
  const told = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${parts.join("/")}${told ? `?${told}` : ""}`;
}

export function linkToTalk(conversation: string, query: Record<string, string> = {}): string {
  return hashOf({ view: "talk", conversation, query });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
