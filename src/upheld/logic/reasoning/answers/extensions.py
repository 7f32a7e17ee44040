"""Other semantics than the engine's own, for those who ask for them: a preferred extension of the state.

Only where arguments attack one another in a circle do the semantics differ: grounded leaves such claims undecided, a
preferred extension takes a side (Dung 1995).
"""

from __future__ import annotations

from upheld.logic.argumentation.preferred import DEFAULT_CONFLICTS, Preferred, preferred
from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.answers.framing import framework_of_state
from upheld.logic.reasoning.state import State


def preferred_extension(state: State, *, conflict_budget: int | None = DEFAULT_CONFLICTS) -> Preferred[PropositionId]:
    """Give one preferred extension of the state, as the claims in it.

    Anytime: with the budget of solver conflicts spent, the best admissible set found, and ``proved_maximal`` says so.
    Cost: the whole state, and on circles a search.
    """
    found = preferred(framework_of_state(state), conflict_budget=conflict_budget)
    claims = frozenset(PropositionId(key) for key in found.extension if key in state.propositions)
    return Preferred(extension=claims, proved_maximal=found.proved_maximal)
