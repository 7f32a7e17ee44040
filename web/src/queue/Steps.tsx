import type { Step } from "../api/types";
import { OUTCOME_WORDS } from "../model/corrections";
import { day } from "../model/times";

/** What people did about a flag, oldest first. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <section>
      <h2>On record</h2>
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.epoch}>
            <b>{step.by ?? "somebody"}</b> {deed(step)} <span className="quiet">{day(step.at)}</span>
            {step.text && <p className="words">{step.text}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function deed(step: Step): string {
  switch (step.kind) {
    case "flag":
      return "flagged it";
    case "assignment":
      return step.to ? `gave it to ${step.to}` : "gave it back to all";
    case "decision":
      return `decided: ${OUTCOME_WORDS[step.outcome ?? ""] ?? step.outcome}${step.claims ? ", with another match" : ""}`;
    case "comment":
      return "noted";
  }
}
