/** Placeholder until the queue is there. */
import type { Route } from "../model/route";

export function QueueView({ route }: { route: Route }) {
    return (
        <div className="column">
            <h1>Review</h1>
            <p>{route.flag}</p>
        </div>
    );
}
