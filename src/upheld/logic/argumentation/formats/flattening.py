"""Supports said by attacks, for the formats that have no word for supports.

A writer refuses a framework that still has supports, since what a reader would then compute is another thing.
"""

from __future__ import annotations

from upheld.errors import MalformedInput
from upheld.logic.argumentation.framework import A, Framework, framework_of, places_of

AUXILIARY = "_aux_"
"""How the name of an argument begins that :func:`flattened` adds."""


def attacks_in_order(framework: Framework[A], *, form: str) -> list[tuple[A, A]]:
    """Give the attacks, sorted by the places of attacker and target, for a text of a format named ``form``.

    Raises:
        MalformedInput: the framework has supports.
    """
    if framework.has_supports:
        raise MalformedInput(f"{form} has no supports: flatten the framework first, which keeps its grounded labelling")
    place = places_of(framework)
    return sorted(framework.attacks, key=lambda pair: (place[pair[0]], place[pair[1]]))


def flattened(framework: Framework[str]) -> Framework[str]:
    """Give a framework without supports that has the same grounded labelling on the original arguments.

    For an argument x that needs something: ``_aux_lacks_x`` attacks x, each justification ``_aux_way_i_x`` of x attacks
    that, and ``_aux_no_p`` (attacked by the premise p) attacks each justification that needs p. So the label of each
    auxiliary is that of the sentence in its name, and the least fixpoint is the same.

    Where no premises form a circle, complete and preferred extensions correspond one to one as well. Where some do,
    they need not: attacks alone cannot say that a circle may not hold itself up.

    Raises:
        MalformedInput: a name begins as the auxiliaries do.
    """
    for name in framework.arguments:
        if name.startswith(AUXILIARY):
            raise MalformedInput(f"{name}: the beginning {AUXILIARY!r} is kept for auxiliary arguments")
    arguments: dict[str, None] = dict.fromkeys(framework.arguments)
    attacks = set(framework.attacks)
    for name in framework.arguments:
        ways = framework.justifications.get(name)
        if ways is None or frozenset() in ways:
            continue
        attacks.add((f"{AUXILIARY}lacks_{name}", name))
        for number, way in enumerate(ways):
            attacks.add((f"{AUXILIARY}way_{number}_{name}", f"{AUXILIARY}lacks_{name}"))
            for premise in way:
                attacks.add((premise, f"{AUXILIARY}no_{premise}"))
                attacks.add((f"{AUXILIARY}no_{premise}", f"{AUXILIARY}way_{number}_{name}"))
    arguments.update(dict.fromkeys(sorted({name for pair in attacks for name in pair} - arguments.keys())))
    return framework_of(arguments, attacks)
