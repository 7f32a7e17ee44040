"""A reply with its evidence: the evidence becomes observations of a conversation, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.turns import Turn
from upheld.speech.matching.clauses import sentences

SOURCE, OTHER, REPLIER = AgentId("source"), AgentId("other"), AgentId("replier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of evidence. ``is_titled``: its sentences are told with the title before them, as its source gives them.

    Sentences that were torn from a page speak of "he" and "there"; the title says of whom and where.
    """

    text: str
    title: str = ""
    is_titled: bool = False

    def sentences(self) -> Iterator[str]:
        """Give the sentences as they are told."""
        for start, end in sentences(self.text):
            sentence = self.text[start:end]
            yield f"{self.title}: {sentence}" if self.is_titled and self.title else sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A reply that people judged, the passages that it was given, and what was said before it.

    ``before`` are (is the replier's, words), oldest first: they are told as words that mean nothing, for matchers that
    look at what a reply answers.
    """

    reply: str
    passages: tuple[Passage, ...]
    before: tuple[tuple[bool, str], ...] = ()

    @property
    def evidence(self) -> str:
        """All the evidence as one text, as it is told."""
        return "\n".join(sentence for each in self.passages for sentence in each.sentences())


def conversation_with(judged: Judged) -> Conversation:
    """Give a conversation in which a source observed the evidence, and the words before the reply were said."""
    agents = (Agent(id=SOURCE, kind=AgentKind.TOOL), Agent(id=OTHER), Agent(id=REPLIER, kind=AgentKind.ASSISTANT))
    talk = Conversation(Beginning(agents=agents), is_lenient=True)
    for turn in (*_observed(judged.passages), *_said(judged.before)):
        talk.tell(turn)
    return talk


def _observed(passages: Iterable[Passage]) -> Iterator[Turn]:
    for number, passage in enumerate(passages, start=1):
        origin = Provenance(uri=passage.title or f"passage {number}")
        operations = tuple(
            Observe(id=PropositionId(f"e{number}.{place}"), text=sentence, source=origin)
            for place, sentence in enumerate(passage.sentences(), start=1)
        )
        yield Turn(id=TurnId(f"E{number}"), speaker=SOURCE, operations=operations, text=passage.text)


def _said(before: Iterable[tuple[bool, str]]) -> Iterator[Turn]:
    for number, (is_repliers, words) in enumerate(before, start=1):
        yield Turn(id=TurnId(f"T{number}"), speaker=REPLIER if is_repliers else OTHER, text=words)
