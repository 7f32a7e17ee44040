"""The embedded interpreter for a conversation whose participants are known from its record alone."""

from __future__ import annotations

from upheld.logic.language.agents import Agent
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.interpretation.local import LocalInterpreter
from upheld.speech.view import Situation, View


class EmbeddedInterpreter:
    """A :class:`~upheld.speech.interpretation.local.LocalInterpreter` that learns from the record who takes part.

    It begins anew when somebody joins. One serves one conversation and one thread at a time.
    """

    name = LocalInterpreter.name
    version = LocalInterpreter.version

    def __init__(self) -> None:
        """Know nobody."""
        self._agents: tuple[Agent, ...] = ()
        self._local = LocalInterpreter()

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn. Cost: that of the interpreter; linear in what is known after somebody joined."""
        agents = tuple(view.agents()) if isinstance(view, Situation) else ()
        if agents != self._agents:
            self._agents, self._local = agents, LocalInterpreter(agents)
        return self._local.interpret(turn, view)
