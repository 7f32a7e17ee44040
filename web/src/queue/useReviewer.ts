import { useState } from "react";

const PLACE = "upheld-reviewer";

/** Who decides: a name that goes on record with each decision. It is kept while the tab lives. */
export function useReviewer(): [string, (name: string) => void] {
  const [name, setName] = useState(() => sessionStorage.getItem(PLACE) ?? "");
  const keep = (next: string) => {
    sessionStorage.setItem(PLACE, next);
    setName(next);
  };
  return [name, keep];
}
