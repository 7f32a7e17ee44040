/** Why somebody does what cannot be done without a reason. */
import type { Ref } from "react";

interface Props {
  id: string;
  label: string;
  reason: string;
  setReason: (reason: string) => void;
  field?: Ref<HTMLTextAreaElement>;
}

export function Reason({ id, label, reason, setReason, field }: Props) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={field ?? null}
        required
        rows={2}
        maxLength={5000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </>
  );
}
