import { useEffect, useRef, useState } from "react";
import type { Drawing } from "../model/graph";
import type { Answer, Places, Request } from "../model/layout";
import { CROWD_SIZE, JOINT_SIZE, sizeOf } from "./sizes";

/** Lay a drawing out beside the page; while that lasts the places of the drawing before stay. */
export function useLayout(drawing: Drawing): Places | null {
  const [places, setPlaces] = useState<Places | null>(null);
  const worker = useRef<Worker | null>(null);
  const number = useRef(0);
  const shape = shapeOf(drawing);
  useEffect(() => {
    const made = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.current = made;
    made.onmessage = ({ data }: MessageEvent<Answer>) => {
      // Only the newest answer counts: a hand on the time bar asks faster than a large graph is laid out.
      if (data.number === number.current) setPlaces(data.places);
    };
    return () => {
      made.terminate();
      worker.current = null;
    };
  }, []);
  useEffect(() => {
    number.current += 1;
    worker.current?.postMessage({
      number: number.current,
      ...(JSON.parse(shape) as Omit<Request, "number">),
    } satisfies Request);
  }, [shape]);
  return places;
}

/** What the layout turns on, as text: the same shape is laid out once. */
function shapeOf(drawing: Drawing): string {
  const boxes = [
    ...drawing.claims.map((claim) => ({ id: claim.id, ...sizeOf(claim) })),
    ...drawing.crowds.map(({ id }) => ({ id, ...CROWD_SIZE })),
    ...drawing.joints.map(({ id }) => ({ id, ...JOINT_SIZE })),
  ];
  const lines = drawing.edges.map(({ source, target, kind }) => ({
    source,
    target,
    isRank: kind === "premise" || kind === "corroboration",
  }));
  return JSON.stringify({ boxes, lines });
}
