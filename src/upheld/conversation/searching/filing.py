"""How claims stand after an event, as a store files them: what moved, found from what was touched and from the labels.

The index is derived from the fold and from nothing else; a law of the tests compares it with the whole state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from upheld.conversation.events import Event, Joined, Took, beginning_of, events_of
from upheld.conversation.folding import applied
from upheld.logic.language.identities import ConversationId, PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Supersede, Turn, Withdraw
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import Role
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Content, Entry, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.search import Filing, Moment, SearchableStore
from upheld.record.ledger.store import Store


def moved(before: State, after: State, event: Event) -> tuple[PropositionId, ...]:
    """Give the claims that may stand otherwise after an event, in the order in which they were put forward.

    Cost: what the event touched, and the labels that it changed.
    """
    return tuple(id for id in reached(before, after, event) if id in after.propositions)


def reached(before: State, after: State, event: Event) -> tuple[PropositionId, ...]:
    """Give the nodes that may stand otherwise after an event, acts without an id included; order and cost as there."""
    pending = list(touched(after, event))
    seen = set(pending)
    for key in pending:
        changed = (id for id in after.network.successors(key) if _label_moved(before, after, id))
        for follower in (*changed, *_settled_by(after, key)):
            if follower not in seen:
                seen.add(follower)
                pending.append(follower)
    found = [PropositionId(id) for id in seen if PropositionId(id) in after.nodes]
    return tuple(sorted(found, key=lambda id: (after.node(id).moment, id)))


def filings_of(state: State, ids: Iterable[PropositionId]) -> tuple[Filing, ...]:
    """Give how claims stand in a state; one without words cannot be found, and is not filed. Cost: the claims."""
    return tuple(
        Filing(
            id=each.id,
            text=each.text,
            kind=each.kind,
            label=state.label(each.id),
            lifecycle=lifecycle_of(state, each.id),
        )
        for each in map(state.proposition, ids)
        if each.text
    )


def differences(before: State, after: State) -> tuple[Filing, ...]:
    """Give how claims stand that stand otherwise in another fold of the same conversation. Cost: all claims of both.

    What nobody puts forward any more is filed as retracted: it was there, and is not.
    """
    then = {each.id: each for each in filings_of(before, before.propositions)}
    now = {each.id: each for each in filings_of(after, after.propositions)}
    gone = (replace(then[id], label=Label.OUT, lifecycle=Lifecycle.RETRACTED) for id in then if id not in now)
    return (*(now[id] for id in now if now[id] != then.get(id)), *gone)


def moments_of(entries: Sequence[Entry], policy: SourcePolicy) -> Iterator[Moment]:
    """Give all that is to be filed of a record, from its beginning. Cost: a replay of it."""
    beginning = beginning_of(entries)
    state = opened(beginning.agents, initial=beginning.initial, policy=policy)
    if entries and beginning.initial:
        yield Moment(epoch=entries[0].epoch, filings=filings_of(state, (each.id for each in beginning.initial)))
    # Words that were given a meaning late count from then on, and what was said meanwhile not before them.
    for event, epoch in zip(events_of(entries), accumulate(_ends(entries), max), strict=True):
        after, _ = applied(state, event, is_lenient=True)
        filings = filings_of(after, moved(state, after, event))
        state = after
        if filings:
            yield Moment(epoch=epoch, filings=filings)


def _ends(entries: Sequence[Entry]) -> Iterator[int]:
    """Give, for each event of a record, the epoch of the entry from which on it counts.

    A turn counts with its first meaning; one that was amended later is filed as it is meant now, from then on.
    """
    meant: dict[str, int] = {}
    for entry in entries:
        if entry.turn is not None and isinstance(entry.content, Interpretation):
            meant.setdefault(entry.turn, entry.epoch)
    for entry in entries:
        content = entry.content
        remains = getattr(content, "remains", None)
        if isinstance(content, Words) or isinstance(remains, Words):
            yield meant.get(entry.turn or "", entry.epoch)
        elif isinstance(content, Retracted) or (isinstance(content, Opening) and entry.epoch > 1):
            yield entry.epoch


def touched(after: State, event: Event) -> Iterator[str]:
    """Give the nodes that an event was about. Cost: their number."""
    match event:
        case Turn():
            yield from after.touched_by.get(event.id, ())
        case Took(retraction=Withdraw(source=source)):
            yield from after.touched_by.get(source, ())
        case Took(retraction=Supersede(older=older, newer=newer)):
            yield from (older, newer)
        case Took(retraction=Retract(target=target) | Falsify(target=target)):
            yield target
        case Joined() | Took():
            return


def _label_moved(before: State, after: State, key: str) -> bool:
    return before.network.label(key) is not after.network.label(key)


def _settled_by(after: State, key: str) -> Iterator[PropositionId]:
    """Give what a decision was made about, and more: all that was touched in a turn that made it.

    Its acts on others count only while it holds, though no label of theirs may change.
    """
    node = after.nodes.get(PropositionId(key))
    if node is None or (node.kind is not Kind.DECISION and node.role is not Role.RESOLUTION):
        return
    for each in node.introductions:
        yield from after.touched_by.get(each.origin.turn, ())


class Filer:
    """Appends to a store, and files beside the entries how claims stand, as long as the two are in step.

    They are in step from the beginning of a conversation, unless a program that does not file appends to it.
    """

    def __init__(self, store: Store, id: ConversationId, policy: SourcePolicy) -> None:
        """File into this store; into one that cannot search, nothing."""
        self._store = store
        self._id = id
        self._policy = policy
        self._shelf = store if isinstance(store, SearchableStore) else None
        self._version: int | None = None
        self._is_in_step = False

    def follow(self, version: int) -> None:
        """Note up to which version the record was read; whether what is filed goes up to there is asked when needed."""
        self._version = version

    @property
    def is_in_step(self) -> bool:
        """Tell whether what is filed goes up to where the record was read. Cost: one question to the store, once."""
        if self._version is not None:
            self._is_in_step = self._shelf is not None and self._shelf.filed(self._id) == self._version
            self._version = None
        return self._is_in_step

    def filings(self, before: State, steps: Iterable[tuple[Event, State]]) -> tuple[Filing, ...] | None:
        """Give how claims stand after events, as they are after the last of them; ``None`` when not in step."""
        if not self.is_in_step:
            return None
        state, ids = before, dict[PropositionId, None]()
        for event, after in steps:
            ids.update(dict.fromkeys(moved(state, after, event)))
            state = after
        return filings_of(state, ids)

    def amended(self, before: State, after: State) -> tuple[Filing, ...] | None:
        """Give how claims stand after something was given another meaning; ``None`` when not in step."""
        return differences(before, after) if self.is_in_step else None

    def append(
        self, contents: Sequence[Content], *, expected: Head, key: str, filings: Sequence[Filing] | None
    ) -> tuple[Entry, ...]:
        """Append, and file in the same transaction; raises what :meth:`Store.append` does."""
        # Asked before there is more on record than what was read.
        if self._shelf is None or filings is None or not self.is_in_step:
            self._version, self._is_in_step = None, False
            return self._store.append(self._id, contents, expected=expected, key=key)
        return self._shelf.append(self._id, contents, expected=expected, key=key, filings=filings)


def refiled(store: SearchableStore, id: ConversationId, policy: SourcePolicy = PEOPLE_AND_TOOLS) -> int:
    """File a conversation anew, and give the epoch up to which it is filed. Cost: a replay of the record.

    Raises:
        VersionConflict: somebody appended meanwhile; nothing was changed.
        DroppedConversation: somebody dropped it meanwhile.
    """
    entries = list(store.read(id))
    if not entries:
        return 0
    head = Head(epoch=entries[-1].epoch, chain=entries[-1].chain)
    store.refile(id, moments_of(entries, policy), expected=head)
    return head.epoch
