/** What is shown while nothing is there yet, and when something failed. */
import type { ReactNode } from "react";
import type { Refusal } from "../api/http";

/** Grey lines in the shape of what is to come. */
export function Skeleton({ lines = 6, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={`bone bone-${index % 4}`} />
      ))}
    </div>
  );
}

/** What failed, what was kept, and a way to try again. */
export function Failure({
  error,
  what,
  kept,
  again,
}: {
  error: Refusal;
  what: string;
  kept?: string;
  again?: () => void;
}) {
  return (
    <div className="failure" role="alert">
      <p className="failure-what">{what}</p>
      <p>
        {error.title}
        {error.detail && error.detail !== error.title ? `: ${error.detail}` : "."}
      </p>
      <p className="quiet">{kept ?? "Nothing was changed; what is on record stays there."}</p>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
