"""A conversation as documents: what the engine holds, and what was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from upheld.logic.language.agents import Agent
from upheld.logic.language.turns import Turn
from upheld.speech.retrieval.document import Document
from upheld.speech.view import View


def documents_of(view: View, *, turns: Iterable[Turn] = (), agents: Iterable[Agent] = ()) -> Iterator[Document]:
    """Give the propositions of a view, in the order in which they were put forward, each as it stands now.

    ``turns`` tell when an item was said, ``agents`` by whose name; without them ``at`` is empty and the speaker an id.
    Cost: linear in the propositions.
    """
    said = {turn.id: turn for turn in turns}
    names = names_of(agents)
    for known in view.known():
        turn = said.get(known.turn) if known.turn is not None else None
        yield Document(
            id=known.proposition.id,
            text=known.proposition.text,
            turn=known.turn or "",
            speaker=names.get(known.speaker or "", known.speaker or ""),
            at=turn.at if turn is not None else "",
            session=turn.session if turn is not None else "",
            is_engine_item=True,
            label=known.label,
            lifecycle=known.lifecycle,
        )


def documents_of_turns(turns: Iterable[Turn], *, agents: Iterable[Agent] = ()) -> Iterator[Document]:
    """Give turns as they were said, in order; one without words is no document."""
    names = names_of(agents)
    for turn in turns:
        if turn.text.strip():
            yield Document(
                id=turn.id,
                text=turn.text,
                turn=turn.id,
                speaker=names.get(turn.speaker, turn.speaker),
                at=turn.at,
                session=turn.session,
            )


def names_of(agents: Iterable[Agent]) -> Mapping[str, str]:
    """Give the name of each agent by id; the id where nobody gave one a name."""
    return {agent.id: agent.name or agent.id for agent in agents}
