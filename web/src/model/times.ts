/** Times for people. What is no time is shown as it was told. */
export function clock(told: string): string {
  const date = dateIn(told);
  if (!date) return told;
  return date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

export function day(told: string): string {
  const date = dateIn(told);
  return date ? date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : told;
}

function dateIn(told: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d/.test(told)) return null;
  const date = new Date(told);
  return Number.isNaN(date.getTime()) ? null : date;
}
