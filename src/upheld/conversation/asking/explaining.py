"""An explanation that can be printed."""

from __future__ import annotations

from dataclasses import dataclass, fields

from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.answers.explain import Explanation, explain
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.tree import Justification, tree_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained(Explanation):
    """Why a claim stands, with the justification as text: ``print(conversation.explain("h2").tree())``."""

    def tree(self, *, depth: int = 12, ascii_only: bool = False) -> str:
        """Give the justification down to the turns, one line a claim; what lies deeper than ``depth`` is counted."""
        return "\n".join(tree_lines(self.justification(), depth=depth, ascii_only=ascii_only))

    def justification(self) -> Justification:
        """Give the same as nested values. Built from the leaves up, so that depth is no limit."""
        built: dict[int, Justification] = {}
        for place in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[place]
            built[place] = Justification(
                literal=node.literal,
                text=node.text,
                label=node.label,
                speaker=node.speaker,
                turn=node.turn,
                children=tuple(built[child] for child in node.premises),
            )
        return built[0]


def explained(state: State, id: PropositionId) -> Explained:
    """Explain a claim; raises :class:`~upheld.errors.UnknownReference`."""
    found = explain(state, id)
    return Explained(**{field.name: getattr(found, field.name) for field in fields(Explanation)})
