"""The product of a structure and an event model: bits for which event happened, and bits for what each noticed of it.

Sources: van Benthem, van Eijck, Gattinger and Su 2018, section 2.3 (knowledge transformers); Baltag and Smets 2008,
section 4 (the action-priority rule).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from upheld.errors import UnknownReference
from upheld.logic.epistemic.structures.diagrams import Diagram, Diagrams
from upheld.logic.epistemic.structures.evaluation import denotation
from upheld.logic.epistemic.structures.events import Classes, EventModel, former, occurrence
from upheld.logic.epistemic.structures.frames import Frame
from upheld.logic.language.formulas import Atom

RESERVED = "\0"
"""Begins the names of variables that are no atoms."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Happening:
    """One update by events: its name, the bits that count its events, and the atom of each with the code it has."""

    name: str
    bits: tuple[str, ...]
    codes: Mapping[str, Diagram]

    @staticmethod
    def of(diagrams: Diagrams, name: str, events: EventModel) -> Happening:
        """Number the events in binary."""
        bits = _bits("event", name, len(events.events))
        codes = [_code(diagrams, bits, number) for number in range(len(events.events))]
        atoms = [occurrence(name, event) for event in events.events]
        return Happening(name=name, bits=bits, codes=dict(zip(atoms, codes, strict=True)))

    def code(self, event: str) -> Diagram:
        """Give where an event happened."""
        return self.codes[occurrence(self.name, event)]

    def occurred(self, true: frozenset[str]) -> str:
        """Give the atom of the event that happened where these variables are true."""
        number = sum(1 << place for place, bit in enumerate(self.bits) if bit in true)
        return tuple(self.codes)[number]


def frame_after(frame: Frame, happening: Happening, events: EventModel) -> Frame | None:
    """Give the action-priority product, or ``None`` when nothing can happen anywhere.

    Preconditions are judged in the frame as it is. What an agent notices of an event, it observes; how plausible it
    finds the event outranks all that it found plausible before.
    """
    diagrams = frame.diagrams
    able = [happening.code(event) & denotation(frame, events.preconditions[event]) for event in events.events]
    law = frame.law & diagrams.any_of(able)
    if law == diagrams.bottom:
        return None
    variables = dict.fromkeys(happening.bits)
    noticed: dict[frozenset[frozenset[str]], tuple[str, ...]] = {}
    for agent in frame.stacks:
        classes = events.classes_of(agent)
        if frozenset(classes) not in noticed:
            bits, law = _noticed(happening, classes, len(noticed), diagrams, law)
            noticed[frozenset(classes)] = bits
            variables |= dict.fromkeys(bits)
    seen = {agent: noticed[frozenset(events.classes_of(agent))] for agent in frame.stacks}
    atoms = frame.atoms
    for atom, code in happening.codes.items():
        atoms = atoms.insert(atom, code)
    product = replace(frame, sight=frame.sight.with_variables(variables, seen), atoms=atoms).with_law(law)
    values = {atom: _value(frame, happening, events, atom) for atom in events.changed}
    return _with_values(_with_ranks(product, happening, events), happening.name, values)


def _value(before: Frame, happening: Happening, events: EventModel, atom: str) -> Diagram:
    """Give, in terms of before, what an atom is worth after whichever event happened."""
    values = {event: events.changes.get(event, {}).get(atom, Atom(atom)) for event in events.events}
    parts = [happening.code(event) & denotation(before, value) for event, value in values.items()]
    return before.diagrams.any_of(parts)


def _with_values(frame: Frame, name: str, values: Mapping[str, Diagram]) -> Frame:
    """Give the frame in which atoms have been set: the old value goes under another name, the new one is a law."""
    if not values:
        return frame
    diagrams = frame.diagrams
    names = {atom: former(name, atom) for atom in values}
    renaming = diagrams.renaming(names)
    renamed = frame.with_renamed(names)
    law = renamed.law
    for atom, value in values.items():
        law = law & diagrams.variable(atom).equiv(value.substitute(renaming))
    return renamed.with_atoms(values, {}).with_law(law)


def _noticed(
    happening: Happening, classes: Classes, label: int, diagrams: Diagrams, law: Diagram
) -> tuple[tuple[str, ...], Diagram]:
    """Give the bits that name the class of what happened, and the law under which they do."""
    if len(classes) == len(happening.codes):
        return happening.bits, law
    bits = _bits(f"class {label}", happening.name, len(classes))
    for place, bit in enumerate(bits):
        inside = [happening.code(event) for number, each in enumerate(classes) if number >> place & 1 for event in each]
        law = law & diagrams.variable(bit).equiv(diagrams.any_of(inside))
    return bits, law


def _with_ranks(frame: Frame, happening: Happening, events: EventModel) -> Frame:
    for agent, ranks in events.ranks.items():
        for bound in sorted(set(ranks.values()), reverse=True)[1:]:
            likely = frame.diagrams.any_of([happening.code(event) for event, rank in ranks.items() if rank <= bound])
            frame = frame.with_entries({agent: likely})
    return frame


def _bits(what: str, name: str, count: int) -> tuple[str, ...]:
    # The name, which may be anything, stands last, so that no two updates can get the same variable.
    return tuple(f"{RESERVED}{what} {place} {name}" for place in range((count - 1).bit_length()))


def _code(diagrams: Diagrams, bits: tuple[str, ...], number: int) -> Diagram:
    literals = (diagrams.variable(bit) for bit in bits)
    return diagrams.all_of([each if number >> place & 1 else ~each for place, each in enumerate(literals)])


def world_of(
    frame: Frame, happened: tuple[Happening, ...], vocabulary: tuple[str, ...], true: frozenset[str]
) -> Diagram:
    """Give the diagram of a world: these atoms are true and no others, and of the events those that are named.

    Raises:
        UnknownReference: an atom that the frame does not have.
    """
    for atom in true:
        if atom not in frame.atoms:
            raise UnknownReference(atom, where="the vocabulary of the structure")
    literals = [frame.atoms[atom] if atom in true else ~frame.atoms[atom] for atom in vocabulary]
    codes = [code for each in happened for atom, code in each.codes.items() if atom in true]
    return frame.diagrams.all_of([*literals, *codes])


def named_worlds(
    frame: Frame, happened: tuple[Happening, ...], vocabulary: frozenset[str], limit: int | None
) -> Iterator[frozenset[str]]:
    """Give the worlds as sets of atoms, no more than ``limit``; depth first over the variables in their order."""
    diagrams = frame.diagrams
    order = sorted(frame.sight.variables, key=diagrams.number)
    numbers = [diagrams.number(name) for name in order]
    pending: list[tuple[Diagram, int, tuple[str, ...]]] = [(frame.law, 0, ())]
    given = 0
    while pending and given != limit:
        rest, depth, true = pending.pop()
        if depth == len(order):
            variables = frozenset(true)
            yield (variables & vocabulary).union(each.occurred(variables) for each in happened)
            given += 1
            continue
        split = rest.cofactors() if rest.node_var() == numbers[depth] else None
        where, elsewhere = split or (rest, rest)
        if where != diagrams.bottom:
            pending.append((where, depth + 1, (*true, order[depth])))
        if elsewhere != diagrams.bottom:
            pending.append((elsewhere, depth + 1, true))
