"""Conversations told by an interpreter that is named; some of them ask a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from upheld.conversation.checking.readers import INTERPRETERS, MATCHERS, interpreter_for
from upheld.conversation.checking.replaying import loaded, policy_of
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.errors import NoRecording, UpheldError
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Request

GOLD = "annotated"
EMBEDDED = (GOLD, "cues", "local")
"""Interpreters that need no language model; the others of :data:`INTERPRETERS` do."""

ASKING_MATCHERS = ("llm", "mixed")
"""Matchers that ask a language model; the others of :data:`MATCHERS` do not."""

BY_SESSION = "llm-session"
"""A language model that reads each session with one call, and is asked about single turns where need be."""

BY_SESSION_ONCE = "llm-session-once"
"""The same without second looks and looks back: one call a session, and one more where the engine objects."""

FIRST_READINGS: Mapping[str, object] = {"has_second_look": False, "has_retrospect": False}
"""Terms under which a turn is asked about once: no second look, no look back."""


def is_asking(interpreter: str) -> bool:
    """Tell whether an interpreter asks a language model."""
    return interpreter in (BY_SESSION, BY_SESSION_ONCE) or (interpreter in INTERPRETERS and interpreter not in EMBEDDED)


def known_matchers(names: Sequence[str]) -> tuple[str, ...]:
    """Give names of matchers as they are, each once.

    Raises:
        UpheldError: no such matcher; those that there are are listed.
    """
    for name in names:
        if name not in MATCHERS:
            raise UpheldError(f"no matcher {name!r}; one of {', '.join(MATCHERS)}")
    return tuple(dict.fromkeys(names))


def told(
    transcript: Transcript,
    interpreter: str,
    llm: LanguageModel | None,
    *,
    terms: Mapping[str, object] | None = None,
) -> Conversation:
    """Give a conversation with every turn told; ``terms`` say how a language model is asked.

    Raises:
        NoRecording: a reply that it takes is not recorded: a conversation that was read in part is no measurement.
        UpheldError: no such interpreter, or no language model to ask.
    """
    if not is_asking(interpreter):
        return loaded(transcript, interpreter=interpreter)
    is_by_session = interpreter in (BY_SESSION, BY_SESSION_ONCE)
    name = "llm" if is_by_session else interpreter
    if interpreter == BY_SESSION_ONCE:
        terms = {**FIRST_READINGS, **(terms or {})}
    watched = Watched(llm) if llm is not None else None
    reader = interpreter_for(name, transcript, llm=watched, terms=terms)
    talk = _by_session(transcript, reader) if is_by_session else loaded(transcript, interpreter=reader)
    if watched is not None and watched.missing is not None:
        raise watched.missing
    return talk


class Watched:
    """A language model that remembers whether a recording was missing: an interpreter makes that an unread turn."""

    def __init__(self, inner: LanguageModel) -> None:
        """Ask ``inner``."""
        self.name = inner.name
        self.missing: NoRecording | None = None
        self._inner = inner

    def ask(self, request: Request, /) -> Reply:
        """Answer a request, or raise what ``inner`` does."""
        try:
            return self._inner.ask(request)
        except NoRecording as missing:
            self.missing = self.missing or missing
            raise


def _by_session(transcript: Transcript, reader: Interpreter) -> Conversation:
    beginning = Beginning(
        agents=transcript.agents, initial=transcript.initial, title=transcript.title, paradigm=transcript.paradigm
    )
    talk = Conversation(
        beginning,
        id=transcript.id or "conversation",
        policy=policy_of(transcript, is_labelled=False),
        interpreter=reader,
        is_lenient=True,
    )
    for _, turns in groupby(transcript.turns, key=lambda turn: turn.session):
        talk.hear_session([replace(turn, operations=()) for turn in turns])
    return talk
