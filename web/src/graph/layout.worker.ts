/** Lays a graph out beside the page, so that a large one holds nothing up. */
import { placesOf, type Answer, type Request } from "../model/layout";

const here = self as unknown as DedicatedWorkerGlobalScope;

here.onmessage = ({ data }: MessageEvent<Request>) => {
  here.postMessage({ number: data.number, places: placesOf(data) } satisfies Answer);
};
