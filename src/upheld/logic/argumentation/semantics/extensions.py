"""Extensions: one, some, or all of them, as far as a budget of conflicts goes."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic

from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed, places_of
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.semantics.choosing import HAVING_GROUNDED, a_choice, blocks_of, choices, labels_before
from upheld.logic.argumentation.semantics.defending import preferred_labels
from upheld.logic.argumentation.semantics.maximal import Labels
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import DEFAULT_CONFLICTS, Budget
from upheld.logic.argumentation.semantics.parts import Members, part_of
from upheld.logic.language.standing import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[A]):
    """One extension, and whether it is proved to be one; ``None`` and proved says that there is none.

    When ``is_proved`` is false the budget ran out. The set is then the best one found: admissible for preferred and
    semi-stable, conflict-free and supported for stage, within the ideal extension for ideal; for stable there is none.
    """

    extension: frozenset[A] | None
    is_proved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Enumeration(Generic[A]):
    """Extensions, each proved to be one, and whether these are all.

    They are ordered by their members, in the order of ``framework.arguments``.
    """

    extensions: tuple[frozenset[A], ...]
    is_complete: bool


def an_extension(
    framework: Framework[A], semantics: Semantics, *, conflict_budget: int | None = DEFAULT_CONFLICTS
) -> Found[A]:
    """Give one extension, or the best that was found within the budget; deterministic.

    ``conflict_budget`` counts conflicts of the solver (``None``: no limit).

    Cost: linear for admissible, complete and grounded (which is one of each) and where no circle is open; NP-hard for
    stable, and harder for the others, within the budget.
    """
    index, budget = indexed(framework), Budget(conflict_budget)
    if semantics in HAVING_GROUNDED:
        return Found(extension=named_in(grounded_labels(index), framework), is_proved=True)
    if semantics is Semantics.PREFERRED and not index.premises:
        extension = named_in(preferred_labels(index, budget), framework)
        return Found(extension=extension, is_proved=not budget.is_spent)
    labels = labels_before(index, semantics)
    settled = settle(index, labels, blocks_of(index, labels, semantics), semantics, budget)
    extension = None if settled is None else named_in(settled, framework)
    return Found(extension=extension, is_proved=not budget.is_spent)


def extensions(
    framework: Framework[A],
    semantics: Semantics,
    *,
    conflict_budget: int | None = DEFAULT_CONFLICTS,
    limit: int | None = None,
) -> Enumeration[A]:
    """Give all extensions, or as many as the budget allows and no more than ``limit``; deterministic.

    With a limit that is met, ``is_complete`` is false, for nobody looked whether there are more.
    Cost: there can be exponentially many; each costs a few questions to the solver.
    """
    budget = Budget(conflict_budget)
    found = list(islice(iter_extensions(framework, semantics, budget=budget), limit))
    place = places_of(framework)
    return Enumeration(
        extensions=tuple(sorted(found, key=lambda extension: sorted(place[name] for name in extension))),
        is_complete=not budget.is_spent and (limit is None or len(found) < limit),
    )


def iter_extensions(framework: Framework[A], semantics: Semantics, *, budget: Budget) -> Generator[frozenset[A]]:
    """Give the extensions one by one, as they are found; they are all if the budget is not spent at the end.

    Close the iterator, or let it go, to let its solvers go.
    """
    index = indexed(framework)
    labels = labels_before(index, semantics)
    blocks = blocks_of(index, labels, semantics)
    return (named_in(found, framework) for found in _labellings(index, labels, blocks, semantics, budget))


def settle(
    index: Indexed, labels: list[Label], blocks: Sequence[Members], semantics: Semantics, budget: Budget
) -> list[Label] | None:
    """Label the blocks one after the other, in place, each by one choice; ``None`` when one has none."""
    for block in blocks:
        chosen = a_choice(part_of(index, block, labels), semantics, budget)
        if chosen is None:
            return None
        for place, name in enumerate(block):
            labels[name] = chosen[place]
    return labels


def named_in(labels: Labels, framework: Framework[A]) -> frozenset[A]:
    """Give what is in, by name."""
    return frozenset(name for name, label in zip(framework.arguments, labels, strict=True) if label is Label.IN)


def _labellings(
    index: Indexed, labels: list[Label], blocks: Sequence[Members], semantics: Semantics, budget: Budget
) -> Iterator[list[Label]]:
    """Combine the choices of all blocks, the last block changing fastest; labels of blocks to come are stale."""
    if not blocks:
        yield labels
        return
    open_choices = [choices(part_of(index, blocks[0], labels), semantics, budget)]
    while open_choices and not budget.is_spent:
        depth = len(open_choices)
        chosen = next(open_choices[-1], None)
        if chosen is None:
            open_choices.pop()
            continue
        for place, name in enumerate(blocks[depth - 1]):
            labels[name] = chosen[place]
        if depth == len(blocks):
            yield labels
        else:
            open_choices.append(choices(part_of(index, blocks[depth], labels), semantics, budget))
