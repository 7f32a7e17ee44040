import type { ReactNode } from "react";
import type { Brief } from "../api/types";
import { whoOf } from "../model/people";
import type { Past } from "../model/replay";

type Remark = Brief["decisions"][number];

/** The parts of a brief that have something to say. */
export function BriefParts({ past, brief }: { past: Past; brief: Brief }) {
  const line = (remark: Remark) => <Line key={remark.id} past={past} remark={remark} />;
  const textOf = (id: string) => past.claims.get(id)?.text ?? "";
  const parts: [string, ReactNode[]][] = [
    [
      "No longer holds",
      brief.delta.lost.map(({ id }) => (
        <li key={id}>
          <b>{id}</b> {textOf(id)}
        </li>
      )),
    ],
    [
      "Comes back",
      [...brief.delta.reinstated, ...brief.delta.reopened].map((id) => (
        <li key={id}>
          <b>{id}</b> {textOf(id)}
        </li>
      )),
    ],
    ["Decisions to look at again", brief.decisions.map(line)],
    [
      "When all agreed to look again",
      brief.conditions.map((each) => (
        <li key={`${each.literal} ${each.decision}`}>
          <b>{each.literal}</b>, for {each.decision}: {each.has_come_about ? "has come about" : "not yet"}
        </li>
      )),
    ],
    ["Concerns that are live now", brief.concerns.map(line)],
    ["Alternatives to compare", brief.alternatives.map(line)],
    [
      "Not to reopen",
      brief.not_to_reopen.map(({ position, because }) => (
        <Line key={position.id} past={past} remark={position}>
          <ul>{because.map(line)}</ul>
        </Line>
      )),
    ],
    ["Who dissented", brief.dissent.map(line)],
  ];
  const told = parts.filter(([, lines]) => lines.length > 0);
  if (told.length === 0) return <p>Nothing else turns on it.</p>;
  return told.map(([name, lines]) => (
    <section key={name}>
      <h3>{name}</h3>
      <ul className="remarks">{lines}</ul>
    </section>
  ));
}

function Line({ past, remark, children }: { past: Past; remark: Remark; children?: ReactNode }) {
  const from = [whoOf(past, remark.speaker), remark.turn].filter(Boolean).join(", ");
  return (
    <li>
      <b>{remark.id}</b> {remark.text} {from && <span className="quiet">({from})</span>}
      {children}
    </li>
  );
}
