/** A text cut at the edges of what is marked in it. */

export interface Mark {
  id: string;
  span: readonly [number, number];
}

export interface Segment {
  text: string;
  ids: readonly string[];
  start: number;
}

/**
 * Cut a text into segments, each with the ids of the marks that cover it, in the order given.
 *
 * Offsets count characters as Python does (code points), so that an emoji before a claim shifts nothing. Marks that
 * lie outside the text are cut to it; the segments put together always are the text.
 */
export function segmentsOf(text: string, marks: readonly Mark[]): Segment[] {
  const points = Array.from(text);
  const within = marks
    .map(({ id, span: [start, end] }) => ({
      id,
      start: clamp(start, points.length),
      end: clamp(end, points.length),
    }))
    .filter(({ start, end }) => start < end);
  const cuts = [...new Set([0, points.length, ...within.flatMap(({ start, end }) => [start, end])])];
  cuts.sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] as number;
    const ids = within.filter((mark) => mark.start <= start && mark.end >= end).map((mark) => mark.id);
    return { text: points.slice(start, end).join(""), ids: [...new Set(ids)], start };
  });
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
