"""Which interpreter and which matcher a name means: the embedded ones, which need no key and no language model."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.errors import UpheldError
from upheld.logic.language.agents import Agent
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.interpretation.local import LocalInterpreter
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher

INTERPRETERS = ("annotated", "local")
"""Names that :func:`interpreter_for` knows."""


def interpreter_for(name: str, transcript: Transcript, agents: Iterable[Agent] = ()) -> Interpreter:
    """Give an interpreter by name: ``annotated`` reads the file's labels, ``local`` the words.

    Raises:
        UpheldError: no such interpreter.
    """
    if name == "annotated":
        return AnnotatedInterpreter(transcript)
    if name == "local":
        return LocalInterpreter(agents or transcript.agents)
    raise UpheldError(f"no interpreter {name!r}; one of {', '.join(INTERPRETERS)}")


def matcher() -> Matcher:
    """Give the embedded matcher. It keeps an index of its own, so one conversation wants one matcher."""
    return LexicalMatcher()
