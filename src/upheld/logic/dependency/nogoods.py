"""Who is to blame when two claims clash: the premises that both rest on.

A nogood is a set of assumptions that cannot hold together (de Kleer 1986, section 3). Nothing is retracted unasked;
the shared culprits are only named.
"""

from __future__ import annotations

from upheld.logic.dependency.justifications import DependencyMap, grounds_of
from upheld.logic.language.identities import PropositionId


def ancestors(dependencies: DependencyMap, node: PropositionId) -> dict[PropositionId, None]:
    """Give every proposition that a node rests on, over any number of steps, nearest first; without the node."""
    found: dict[PropositionId, None] = {}
    pending = [node]
    for current in pending:
        for item in grounds_of(dependencies, current):
            if item.proposition not in found and item.proposition != node:
                found[item.proposition] = None
                pending.append(item.proposition)
    return found


def shared_culprits(
    dependencies: DependencyMap, first: PropositionId, second: PropositionId
) -> tuple[PropositionId, ...]:
    """Give the nearest premises that two clashing claims have in common; empty when they share none.

    A premise behind another shared premise is left out: giving up the nearer one is enough.
    Cost: what the two claims rest on.
    """
    common = ancestors(dependencies, first).keys() & ancestors(dependencies, second).keys()
    behind = {further for node in common for further in ancestors(dependencies, node)}
    return tuple(sorted(common - behind))
