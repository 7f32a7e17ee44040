/** The key of this tab. It is kept while the tab lives, and nowhere else. */
const PLACE = "upheld-key";

const listeners = new Set<() => void>();
let isDemanded = false;

export function currentKey(): string {
  return sessionStorage.getItem(PLACE) ?? "";
}

/** Remember a key, or forget it where it is empty. */
export function keepKey(key: string): void {
  if (key) sessionStorage.setItem(PLACE, key);
  else sessionStorage.removeItem(PLACE);
  isDemanded = false;
  tell();
}

/** Say that the service wants a key, or another one. */
export function demandKey(): void {
  isDemanded = true;
  tell();
}

export function isKeyDemanded(): boolean {
  return isDemanded;
}

export function onKey(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const each of [...listeners]) each();
}
