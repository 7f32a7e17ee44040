"""Where a formula holds, as a diagram: each operator by its definition on sets of worlds, all cells at once.

Sources: van Benthem, van Eijck, Gattinger and Su 2018, section 2 (translation of knowledge); Baltag and Smets 2008,
section 2 (belief, conditional and safe belief); Fagin and Halpern 1988, section 4 (awareness).
"""

from __future__ import annotations

from upheld.errors import UnknownReference
from upheld.logic.epistemic.structures.diagrams import Diagram
from upheld.logic.epistemic.structures.frames import Frame
from upheld.logic.language.formulas import (
    And,
    Atom,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    OfAgent,
    OfGroup,
    Or,
    SafelyBelieves,
    Top,
    atoms_of,
)


def denotation(frame: Frame, formula: Formula) -> Diagram:
    """Give a function that agrees with the formula on every world of the frame; what it says elsewhere means nothing.

    Subformulas first, each object once; no step recurses, so depth is no limit.

    Raises:
        UnknownReference: an atom or an agent that the frame does not have. What one is aware of may be unknown.
    """
    found: list[Diagram] = []
    for node, parts in frame.readings.of(formula):
        found.append(_of(frame, node, [found[part] for part in parts]))
    return found[-1]


def _of(frame: Frame, node: Formula, parts: list[Diagram]) -> Diagram:
    match node:
        case Atom(name):
            found = frame.atoms.get(name)
            if found is None:
                raise UnknownReference(name, where="the vocabulary of the structure")
            return found
        case Not():
            return ~parts[0]
        case And():
            return frame.diagrams.all_of(parts)
        case Or():
            return frame.diagrams.any_of(parts)
        case Implies():
            return parts[0].imp(parts[1])
        case Iff():
            return parts[0].equiv(parts[1])
        case Top():
            return frame.diagrams.top
        case Bottom():
            return frame.diagrams.bottom
        case _:
            return _of_agents(frame, node, parts)


def _of_agents(frame: Frame, node: OfAgent | OfGroup, parts: list[Diagram]) -> Diagram:
    match node:
        case Knows(agent):
            return ~frame.possible((agent,), ~parts[0])
        case KnowsWhether(agent):
            return ~(frame.possible((agent,), ~parts[0]) & frame.possible((agent,), parts[0]))
        case Believes(agent):
            given = frame.best(agent) if node.condition is None else frame.best_of(agent, frame.law & parts[0])
            return ~frame.diagrams.some(given, ~parts[-1], frame.sight.hidden_from((agent,)))
        case SafelyBelieves(agent):
            return ~frame.rather(agent, ~parts[0])
        case CommonKnowledge(group):
            return _common(frame, group or tuple(frame.stacks), parts[0])
        case DistributedKnowledge(group):
            return ~frame.possible(group or tuple(frame.stacks), ~parts[0])
        case _:
            is_aware = node.agent not in frame.aware or atoms_of(node.operand) <= frame.aware[node.agent]
            known = ~frame.possible((node.agent,), ~parts[0] if parts else frame.diagrams.bottom)
            return known if is_aware else frame.diagrams.bottom


def _common(frame: Frame, group: tuple[str, ...], operand: Diagram) -> Diagram:
    """Give the greatest set of worlds in which the operand holds and whose members all know that they are in it.

    Counted from its complement: doubt spreads from where the operand fails until nobody can carry it further.
    """
    doubt, before = frame.law & ~operand, None
    while doubt != before:
        before = doubt
        for agent in group:
            doubt = doubt | (frame.possible((agent,), doubt) & frame.law)
    return ~doubt
