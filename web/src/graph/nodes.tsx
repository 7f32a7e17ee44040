/** Boxes of the graph. They are real buttons, so that a keyboard and a screen reader reach them. */
import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { memo } from "react";
import type { Claim } from "../api/types";
import { crowdWords, isAct, type Crowd } from "../model/graph";
import type { Joint } from "../model/joints";
import { LOOK_SIGNS, LOOK_WORDS, lookAt, standingWords } from "../model/look";
import { SUPPOSED_SIGNS, SUPPOSED_WORDS, type Supposed } from "../model/preview";
import { standingAt, type Past } from "../model/replay";
import { whoOf } from "../model/people";

export type ClaimBox = Node<
  {
    past: Past;
    claim: Claim;
    place: number;
    isSelected: boolean;
    supposed: Supposed | null;
    select: (id: string) => void;
  },
  "claim"
>;
export type JointBox = Node<{ joint: Joint }, "joint">;
export type CrowdBox = Node<{ crowd: Crowd; open: (id: string) => void }, "crowd">;

export const ClaimNode = memo(function ClaimNode({ data }: NodeProps<ClaimBox>) {
  const { past, claim, place, isSelected, supposed, select } = data;
  const look = lookAt(past, claim.id, place);
  const standing = standingAt(past, claim.id, place);
  const act = isAct(claim);
  const classes = [
    "node",
    act ? "node-act" : "",
    `node-${look}`,
    isSelected && "selected",
    supposed && `supposed-${supposed}`,
  ];
  return (
    <button
      type="button"
      className={`nodrag ${classes.filter(Boolean).join(" ")}`}
      aria-pressed={isSelected}
      title={claim.text}
      data-node={claim.id}
      onClick={() => select(claim.id)}
    >
      <Handle type="target" position={Position.Bottom} isConnectable={false} />
      <span className={act ? "hidden" : "node-head"}>
        <span aria-hidden="true">{LOOK_SIGNS[look]}</span> <b>{claim.id}</b> {claim.kind}
        {claim.speaker ? ` · ${whoOf(past, claim.speaker)}` : ""}
        <span className="hidden">, {standingWords(claim.kind, standing)}: </span>
      </span>
      <span className="node-text">{claim.text || LOOK_WORDS[look]}</span>
      {standing?.needs_reevaluation && <span className="node-flag">look at again</span>}
      {supposed && (
        <span className="node-flag">
          {SUPPOSED_SIGNS[supposed]} {SUPPOSED_WORDS[supposed]}
        </span>
      )}
      <Handle type="source" position={Position.Top} isConnectable={false} />
    </button>
  );
});

export const CrowdNode = memo(function CrowdNode({ data }: NodeProps<CrowdBox>) {
  return (
    <button
      type="button"
      className="nodrag node node-crowd"
      title="Show each of them"
      onClick={() => data.open(data.crowd.id)}
    >
      {crowdWords(data.crowd)}
      <Handle type="source" position={Position.Top} isConnectable={false} />
    </button>
  );
});

/** Where lines meet before a conclusion. It says in a word how, and is no button: there is nothing to do with it. */
export const JointNode = memo(function JointNode({ data }: NodeProps<JointBox>) {
  return (
    <span className="joint" title={data.joint.told} data-joint={data.joint.word}>
      <Handle type="target" position={Position.Bottom} isConnectable={false} />
      {data.joint.word}
      <Handle type="source" position={Position.Top} isConnectable={false} />
    </span>
  );
});
