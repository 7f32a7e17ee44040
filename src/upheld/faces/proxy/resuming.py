"""What came before a request that does not repeat it, read off the record: the request names the answer before it."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.conversation.conversation import Conversation
from upheld.conversation.events import words_in
from upheld.faces.proxy.placing import MOST_COMPARED, History, is_told_here, name_of_answer, named_after
from upheld.faces.server.access import Visit
from upheld.logic.language.agents import AgentKind
from upheld.logic.language.identities import AgentId, TurnId
from upheld.record.ledger.entry import Words
from upheld.record.ledger.store import BookmarkingStore
from upheld.speech.formats.exports.dialogue import ASSISTANT, TOOL, USER, Said


def resumed(visit: Visit, history: History) -> History:
    """Give a history with what came before it, up to the answer that it comes after; as it is, where none is known.

    Cost: one look by the answer's id; where it is known, reading its conversation up to there.

    Raises:
        UpheldError: it could not be read.
    """
    store = visit.host.store
    if not history.after or not isinstance(store, BookmarkingStore):
        return history
    place = store.bookmarked(name_of_answer(visit, history.after))
    if place is None:
        return history
    with visit.entered(place.conversation) as room:
        found = list(_up_to(visit, room.conversation, place.turn))
        before = tuple(_said(room.conversation, words) for _, words in found)
    links = tuple(key for key, _ in found)
    # One that was named for a message is placed by its words, as it was then; any other has a name of its own.
    if place.conversation in {named_after(visit.caller.tenant, each) for each in links}:
        return History(said=(*before, *history.said), links=links)
    return History(said=(*before[-MOST_COMPARED:], *history.said), name=place.conversation)


def _up_to(visit: Visit, talk: Conversation, last: TurnId) -> Iterator[tuple[str, Words]]:
    """Give the key and the words of what was told here, up to a turn."""
    for entry in visit.host.store.read(talk.id, upto=talk.version):
        words = words_in(entry)
        if words is not None and is_told_here(words.turn):
            yield entry.key, words
            if words.turn == last:
                return


def _said(talk: Conversation, words: Words) -> Said:
    agent = talk.state.agents[words.speaker]
    if agent.kind is AgentKind.ASSISTANT:
        return Said(speaker=words.speaker, role=ASSISTANT, text=words.text)
    role = TOOL if words.speaker == AgentId(TOOL) else USER
    return Said(speaker=words.speaker, role=role, text=words.text)
