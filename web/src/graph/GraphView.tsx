/** What rests on what: grounds below, conclusions above, attacks in a stroke of their own. */
import {
  Background,
  Controls,
  MarkerType,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  type Edge as Drawn,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Edge, EdgeKind } from "../api/types";
import { drawingAt, type Drawing } from "../model/graph";
import type { Supposed } from "../model/preview";
import type { Past } from "../model/replay";
import { isJoint } from "../model/joints";
import { ClaimNode, CrowdNode, JointNode, type ClaimBox, type CrowdBox, type JointBox } from "./nodes";
import { CROWD_SIZE, JOINT_SIZE, sizeOf } from "./sizes";
import { useLayout } from "./useLayout";

interface Props {
  past: Past;
  place: number;
  selected: string | null;
  effects: ReadonlyMap<string, Supposed> | null;
  isAll: boolean;
  setAll: (all: boolean) => void;
  select: (id: string | null) => void;
}

const NODE_TYPES = { claim: ClaimNode, crowd: CrowdNode, joint: JointNode };
/** Text that cannot be read helps nobody: rather than that, a part of a large graph is shown, and a map of it all. */
const FIT = {
  // On the left the buttons for nearer and further would lie over a box.
  padding: { top: "4%", right: "4%", bottom: "4%", left: "56px" },
  minZoom: 0.7,
  maxZoom: 1,
} as const;
const MAP_FROM = 14;
const NOBODY: ReadonlySet<string> = new Set();

export function GraphView(props: Props) {
  return (
    <section className="graph" aria-label="Graph of what rests on what">
      <ReactFlowProvider>
        <Graph {...props} />
      </ReactFlowProvider>
    </section>
  );
}

function Graph({ past, place, selected, effects, isAll, setAll, select }: Props) {
  const [opened, open] = useState<ReadonlySet<string>>(NOBODY);
  const alone = useMemo(() => (effects ? new Set(effects.keys()) : NOBODY), [effects]);
  const drawing = useMemo(
    () => drawingAt(past, place, { selected, isAll, opened, alone }),
    [past, place, selected, isAll, opened, alone],
  );
  const places = useLayout(drawing);
  const openCrowd = useCallback((id: string) => open((before) => new Set([...before, id])), []);
  const nodes = useMemo(() => {
    if (!places) return [];
    const claims: ClaimBox[] = drawing.claims
      .filter((claim) => places[claim.id])
      .map((claim) => ({
        id: claim.id,
        type: "claim",
        position: places[claim.id] ?? { x: 0, y: 0 },
        ...sizeOf(claim),
        data: {
          past,
          claim,
          place,
          isSelected: claim.id === selected,
          supposed: effects?.get(claim.id) ?? null,
          select,
        },
      }));
    const crowds: CrowdBox[] = drawing.crowds
      .filter((crowd) => places[crowd.id])
      .map((crowd) => ({
        id: crowd.id,
        type: "crowd",
        position: places[crowd.id] ?? { x: 0, y: 0 },
        ...CROWD_SIZE,
        data: { crowd, open: openCrowd },
      }));
    const joints: JointBox[] = drawing.joints
      .filter((joint) => places[joint.id])
      .map((joint) => ({
        id: joint.id,
        type: "joint",
        position: places[joint.id] ?? { x: 0, y: 0 },
        ...JOINT_SIZE,
        data: { joint },
      }));
    return [...claims, ...crowds, ...joints];
  }, [places, drawing, past, place, selected, effects, select, openCrowd]);
  const edges = useMemo(() => drawing.edges.map(lineOf), [drawing]);
  useFitting(drawing, places !== null);
  return (
    <>
      <div className="graph-tools">
        <label className="inline">
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} /> all claims
        </label>
        {selected && (
          <button type="button" className="plain" onClick={() => select(null)}>
            Clear the selection
          </button>
        )}
        {drawing.leftOut > 0 && <span className="quiet">{drawing.leftOut} older claims are not drawn</span>}
        <EdgeLegend />
      </div>
      <div className="canvas">
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          minZoom={0.1}
          maxZoom={1.5}
          onlyRenderVisibleElements={nodes.length > 120}
          proOptions={{ hideAttribution: true }}
          fitView
          fitViewOptions={FIT}
        >
          <Background gap={24} size={1} />
          <Controls showInteractive={false} />
          {nodes.length >= MAP_FROM && <MiniMap pannable zoomable ariaLabel="Map of the whole graph" />}
        </ReactFlow>
        {drawing.claims.length === 0 && <p className="empty-graph quiet">Nothing has been said yet at this moment.</p>}
      </div>
    </>
  );
}

/** Bring a new drawing into view; a mere change of standing leaves the view where it is. */
function useFitting(drawing: Drawing, isLaid: boolean): void {
  const { fitView } = useReactFlow();
  const ids = drawing.claims.map((claim) => claim.id).join(" ") + drawing.crowds.map((crowd) => crowd.id).join(" ");
  const fit = useRef(fitView);
  useEffect(() => {
    fit.current = fitView;
  });
  useEffect(() => {
    if (!isLaid) return undefined;
    const timer = setTimeout(() => void fit.current(FIT), 60);
    return () => clearTimeout(timer);
  }, [ids, isLaid]);
}

const EDGE_WORDS: Readonly<Record<EdgeKind, string>> = {
  premise: "rests on",
  corroboration: "is supported by",
  explanation: "is explained by",
  attack: "is attacked by",
  supersession: "is replaced by",
};

function lineOf(edge: Edge): Drawn {
  return {
    id: `${edge.source} ${edge.target} ${edge.kind}`,
    source: edge.source,
    target: edge.target,
    className: `edge edge-${edge.kind}`,
    // What meets in a joint is told by the joint.
    ...(isJoint(edge.source) || isJoint(edge.target)
      ? {}
      : { ariaLabel: `${edge.target} ${EDGE_WORDS[edge.kind]} ${edge.source}` }),
    ...(isJoint(edge.target) ? {} : { markerEnd: markerOf(edge) }),
  };
}

function markerOf(edge: Edge): NonNullable<Drawn["markerEnd"]> {
  const isAgainst = edge.kind === "attack" || edge.kind === "supersession";
  return {
    type: isAgainst ? MarkerType.ArrowClosed : MarkerType.Arrow,
    width: 14,
    height: 14,
    markerUnits: "userSpaceOnUse",
    color: `var(--edge-${edge.kind})`,
  };
}

function EdgeLegend() {
  const kinds: readonly [EdgeKind, string][] = [
    ["premise", "ground"],
    ["attack", "attack"],
    ["explanation", "explanation"],
  ];
  return (
    <ul className="edge-legend" aria-label="Strokes">
      {kinds.map(([kind, word]) => (
        <li key={kind}>
          <svg width="26" height="8" aria-hidden="true">
            <line className={`edge-line edge-${kind}`} x1="0" y1="4" x2="26" y2="4" />
          </svg>{" "}
          {word}
        </li>
      ))}
    </ul>
  );
}
