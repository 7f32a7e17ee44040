"""Which conversation a request belongs to, and what of it is new there: read off its words and the record alone.

Each message has a link: a hash of itself and of all before it. A message is told under its link as idempotency key, so
that the record itself says which are known, to every process and after every restart. A conversation without a name is
named for its first message. Where a history departs from what is on record there, it is another conversation, named for
the first message that departs, which begins with what both have in common. Where a request names the answer that it
goes on from and does not repeat what came before, a bookmark says where that is on record.

Instructions are not hashed: they often carry the hour, and would make a conversation of every request.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.errors import UnknownReference
from upheld.faces.server.access import Visit, persistently
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.logic.language.turns import Turn
from upheld.record.ledger.store import Bookmark, BookmarkingStore
from upheld.speech.formats.exports.dialogue import ASSISTANT, TOOL, USER, Dialogue, Said
from upheld.speech.formats.exports.merging import merge
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.plain.speakers import Speakers

NOTICE = "Held back: "
"""What our own refusals begin with: they are words on record, and nobody's claims."""

MOST_COMPARED = 500
"""Turns of a named conversation that a history is held against."""

BEGINNING = Beginning(
    agents=(
        Agent(id=AgentId(USER), name=USER),
        Agent(id=AgentId(ASSISTANT), name=ASSISTANT, kind=AgentKind.ASSISTANT),
        Agent(id=AgentId(TOOL), name=TOOL, kind=AgentKind.TOOL),
    )
)
"""Who takes part in a conversation that the proxy begins; whoever else is named by a message joins as a person."""

_TURN = re.compile(r"M\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where a history is on record: the conversation, and which of its turns could not be read just now.

    ``length`` is how many messages it has there, of a conversation without a name: others may come after them.
    ``last`` is the turn that it ends with; ``is_marked``: it will be found by the id of the answer.
    """

    conversation: str
    unread: tuple[TurnId, ...] = ()
    length: int | None = None
    last: TurnId | None = None
    is_marked: bool = False

    def end(self, talk: Conversation) -> TurnId | None:
        """Give the turn that the history ends with, where the record goes on after it."""
        if self.length is None or _turn_at(self.length + 1) not in talk.state.turns:
            return None
        return _turn_at(self.length)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What was said in a request, and in which conversation; without a ``name`` the words tell which.

    It comes ``after`` an answer of this id, where the record has that; the name is for where it has not.
    ``links`` are those of its first messages, where these were read off the record: what was redacted or erased there
    has the link of the words that were sent.
    """

    said: tuple[Said, ...]
    name: str = ""
    links: tuple[str, ...] = ()
    after: str = ""

    def and_then(self, said: Sequence[Said]) -> History:
        """Give it with what was said next."""
        return replace(self, said=(*self.said, *said))


def named_after(tenant: str, *words: str) -> str:
    """Give a name that is made of these words, and of nothing that can be read back from it."""
    return f"proxy-{_hash(tenant, *words)[:24]}"


def links_of(tenant: str, said: Sequence[Said], known: Sequence[str] = ()) -> tuple[str, ...]:
    """Give the link of each message; those of the first may be ``known``. Cost: linear in the words of the others."""
    links = list(known)
    before = links[-1] if links else _hash(tenant)
    for each in said[len(links) :]:
        before = _hash(before, each.role, each.speaker, each.text.strip())
        links.append(before)
    return tuple(links)


def key_of(tenant: str, history: History, answer: str) -> str:
    """Give a key that is the same each time the same answer is given to the same history. Cost: hashing both."""
    return f"proxy-flag#{_hash(history.name, *links_of(tenant, history.said, history.links)[-1:], answer)}"


def told(visit: Visit, history: History, *, answer: str = "") -> Placed:
    """Tell what is new of a history, in the conversation that it belongs to, and give which that is.

    With the id that the upstream gave the ``answer`` at its end, it is found by that id from now on, by every process.
    Cost: hashing the history, and reading what is new.

    Raises:
        UpheldError: it could not be told; what was told before stays.
    """
    for each in history.said:
        visit.check_text(each.text, "messages")
    placed = _told_by_name(visit, history) if history.name else _told_by_links(visit, history)
    store = visit.host.store
    if not answer or placed.last is None or not isinstance(store, BookmarkingStore):
        return placed
    store.bookmark(
        name_of_answer(visit, answer), Bookmark(conversation=ConversationId(placed.conversation), turn=placed.last)
    )
    return replace(placed, is_marked=True)


def name_of_answer(visit: Visit, answer: str) -> str:
    """Give the name under which the place after an answer is kept."""
    return named_after(visit.caller.tenant, "answer", answer)


def _told_by_links(visit: Visit, history: History) -> Placed:
    links = links_of(visit.caller.tenant, history.said, history.links)
    name = named_after(visit.caller.tenant, links[0]) if links else named_after(visit.caller.tenant)
    while True:
        with visit.entered(name, beginning=BEGINNING) as room:
            talk = room.conversation
            known = _count_known(talk, links)
            if known == len(links) or _turn_at(known + 1) not in talk.state.turns:
                return _tell(talk, history.said, links)
        # Each step goes by a longer part of the history, so there are at most as many as messages.
        name = named_after(visit.caller.tenant, links[known])


def assistant_of(talk: Conversation) -> AgentId:
    """Give who answers in a conversation.

    Raises:
        UnknownReference: no assistant takes part; whoever joined now would be taken for a person, and believed.
    """
    agents = talk.state.agents
    if AgentId(ASSISTANT) in agents and agents[AgentId(ASSISTANT)].kind is AgentKind.ASSISTANT:
        return AgentId(ASSISTANT)
    found = next((id for id in sorted(agents) if agents[id].kind is AgentKind.ASSISTANT), None)
    if found is None:
        raise UnknownReference(ASSISTANT, where="those who take part")
    return found


def _tell(talk: Conversation, said: Sequence[Said], links: Sequence[str]) -> Placed:
    unread: list[TurnId] = []

    def rest() -> None:
        for place in range(_count_known(talk, links), len(said)):
            unread.extend(_heard(talk, said[place], _turn_at(place + 1), links[place]))

    persistently(talk, rest)
    last = _turn_at(len(said)) if said else None
    return Placed(conversation=talk.id, unread=tuple(unread), length=len(said), last=last)


def _told_by_name(visit: Visit, history: History) -> Placed:
    """Tell what the record of a named conversation does not end with already, however the history was cut."""
    unread: list[TurnId] = []
    with visit.entered(history.name, beginning=BEGINNING) as room:
        talk = room.conversation

        def rest() -> None:
            for each in _news(talk, history.said):
                turn = _next_turn(talk)
                unread.extend(_heard(talk, each, turn, _hash(talk.id, turn, each.text)))

        persistently(talk, rest)
        recorded = _recorded(talk)
        last = recorded[-1].id if recorded else None
        return Placed(conversation=talk.id, unread=tuple(unread), last=last)


def _news(talk: Conversation, said: Sequence[Said]) -> list[Said]:
    there = Dialogue(Tally())
    there.said = [Said(speaker=each.speaker, role="", text=each.text.strip()) for each in _recorded(talk)]
    known = len(there.said)
    turns = [(each, talk.reader.clean(_turn(talk, each, _turn_at(0)))) for each in said]
    history = [Said(speaker=turn.speaker, role="", text=turn.text.strip()) for _, turn in turns]
    merge(there, history)
    return [each for each, _ in turns[len(turns) - (len(there.said) - known) :]]


def _recorded(talk: Conversation) -> list[Turn]:
    return [each for each in talk.timeline.last(MOST_COMPARED) if is_told_here(each.id)]


def is_told_here(turn: TurnId) -> bool:
    """Tell whether a turn has a name that the proxy gives."""
    return _TURN.fullmatch(turn) is not None


def _next_turn(talk: Conversation) -> TurnId:
    number = talk.timeline.length + 1
    while _turn_at(number) in talk.state.turns:
        number += 1
    return _turn_at(number)


def _turn_at(place: int) -> TurnId:
    return TurnId(f"M{place}")


def _heard(talk: Conversation, said: Said, id: TurnId, key: str) -> tuple[TurnId, ...]:
    turn = _turn(talk, said, id)
    if said.role == ASSISTANT and said.text.startswith(NOTICE):
        talk.tell(turn, key=key)
        return ()
    return (id,) if talk.hear(turn, key=key).abstained else ()


def _turn(talk: Conversation, said: Said, id: TurnId) -> Turn:
    return Turn(id=id, speaker=_speaker(talk, said), text=said.text)


def _speaker(talk: Conversation, said: Said) -> AgentId:
    """Give who speaks: an assistant, whatever it calls itself, never passes for a person."""
    if said.role == ASSISTANT:
        return assistant_of(talk)
    if said.role == TOOL:
        return AgentId(TOOL)
    id = Speakers().agent(said.speaker, role=USER)
    known = talk.state.agents.get(id)
    return id if known is None or known.kind is AgentKind.PERSON else AgentId(f"{id}.{AgentKind.PERSON.value}")


def _count_known(talk: Conversation, links: Sequence[str]) -> int:
    return next((place for place, link in enumerate(links) if not talk.was_told(link)), len(links))


def _hash(*words: str) -> str:
    # Each with its length, so that no two lists of words run together into the same bytes.
    content = b"".join(b"%d:%s" % (len(word), word) for word in (each.encode("utf-8", "replace") for each in words))
    return hashlib.sha256(content).hexdigest()[:32]
