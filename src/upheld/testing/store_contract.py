"""The suite that every store must pass: subclass it in a test module and bind its fixture.

::

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            with MyStore() as store:
                yield store

A store that outlives its object takes :class:`DurableStoreContract` and binds ``reopened`` as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest

from upheld.errors import MalformedInput, RepeatedIdentity, StoreError, VersionConflict
from upheld.logic.language.agents import Agent
from upheld.logic.language.formulas import And, Atom
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Retract
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Content, Entry, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import audit
from upheld.testing.keeping_contract import KeepingContract
from upheld.testing.store_materials import HERE, PATIENCE, THERE, at_once, contents_of, said, texts_of


class SharingContract:
    """What a store promises to several writers and readers at once; a part of :class:`StoreContract`."""

    def test_of_two_writers_with_the_same_base_one_wins(self, store: Store) -> None:
        """C-30: two writers at the same version, at the same time."""
        store.append(HERE, [said(1)])
        results = at_once([lambda n=n: store.append(HERE, [said(n)], expected=1) for n in (2, 3)])
        won = [result for result in results if isinstance(result, tuple)]
        lost = [result for result in results if isinstance(result, VersionConflict)]
        assert (len(won), len(lost)) == (1, 1)
        assert tuple(store.read(HERE, after=1)) == won[0]

    def test_concurrent_appends_are_all_kept(self, store: Store) -> None:
        """C-28: check-then-insert must not race; no append is lost and every epoch is given once."""
        results = at_once([lambda n=n: store.append(HERE, [said(n), said(n)]) for n in range(20)])
        assert sorted(entry.epoch for result in results for entry in cast("tuple[Entry, ...]", result)) == [
            *range(1, 41)
        ]
        texts = texts_of(store.read(HERE))
        assert sorted(texts[::2]) == sorted(f"words {number}" for number in range(20))
        assert texts[::2] == texts[1::2], "the contents of one append stand together"

    def test_concurrent_appends_with_one_key_are_one(self, store: Store) -> None:
        """C-28: 20 concurrent identical adds make no duplicate."""
        results = at_once([lambda: store.append(HERE, [said(1)], key="k")] * 20)
        assert set(map(repr, results)) == {repr(tuple(store.read(HERE)))}
        assert store.version(HERE) == 1

    def test_interleaved_conversations_stay_apart(self, store: Store) -> None:
        """C-31: two tenants, 100 interleaved asynchronous adds each, on one store."""

        async def add(name: ConversationId, number: int) -> None:
            await asyncio.to_thread(store.append, name, [said(number, f"{name} {number}")])

        async def add_all() -> None:
            await asyncio.gather(*(add(name, number) for number in range(100) for name in (HERE, THERE)))

        asyncio.run(add_all())
        for name in (HERE, THERE):
            assert sorted(texts_of(store.read(name))) == sorted(f"{name} {number}" for number in range(100))

    def test_it_works_in_a_script_in_event_loops_and_in_a_thread(self, store: Store) -> None:
        """C-33: inside and outside a running event loop, and in a second loop after the first has gone."""

        async def append_and_count(number: int) -> int:
            store.append(HERE, [said(number)])
            return store.version(HERE)

        store.append(HERE, [said(1)])
        assert asyncio.run(append_and_count(2)) == 2
        assert asyncio.run(append_and_count(3)) == 3
        with ThreadPoolExecutor(max_workers=1) as thread:
            assert thread.submit(asyncio.run, append_and_count(4)).result(PATIENCE) == 4

    def test_following_gives_what_is_there_and_ends(self, store: Store) -> None:
        """Our promise: without news for ``timeout`` seconds it ends."""
        store.append(HERE, [said(1), said(2), said(3)])
        assert texts_of(store.follow(HERE, after=1, timeout=0)) == ["words 2", "words 3"]
        assert list(store.follow(HERE, after=3, timeout=0)) == []
        assert list(store.follow(THERE, timeout=0.01)) == []

    def test_following_sees_later_appends(self, store: Store) -> None:
        """Our promise: an open page learns of each new entry, in order, once, and of no other conversation's."""
        store.append(HERE, [said(1)])
        following = store.follow(HERE, timeout=PATIENCE)
        assert texts_of([next(following)]) == ["words 1"]
        store.append(THERE, [said(9)])
        store.append(HERE, [said(2), said(3)])
        assert texts_of([next(following), next(following)]) == ["words 2", "words 3"]

    def test_a_follower_that_waits_is_woken(self, store: Store) -> None:
        """Our promise: also one that began to wait before the conversation began, with no limit of time."""

        def first_three() -> list[str]:
            following = store.follow(HERE)
            return texts_of([next(following) for _ in range(3)])

        with ThreadPoolExecutor(max_workers=1) as thread:
            seen = thread.submit(first_three)
            try:
                for number in (1, 2, 3):
                    store.append(HERE, [said(number)])
                assert seen.result(PATIENCE) == ["words 1", "words 2", "words 3"]
            finally:
                store.close()  # ends the wait of a follower that was never woken, so that this fails and does not hang

    def test_whoever_waits_for_any_conversation_is_woken_by_each(self, store: Store) -> None:
        """Our promise: one wait stands for all conversations; without an append it ends with the mark that it had."""
        mark = store.stirred(timeout=PATIENCE)
        with ThreadPoolExecutor(max_workers=1) as thread:
            for place in (HERE, THERE):
                while (same := store.stirred(mark, timeout=0.01)) != mark:
                    mark = same  # a store that was not sure may say so, but not for ever
                woken = thread.submit(store.stirred, mark, timeout=PATIENCE)
                store.append(place, [said(1)])
                assert woken.result(PATIENCE) != mark
                mark = store.stirred(mark, timeout=0)


class StoreContract(SharingContract, KeepingContract):
    """What any :class:`~upheld.record.ledger.store.Store` promises."""

    def test_entries_are_read_in_the_order_of_their_appends(self, store: Store) -> None:
        """Demanded by semantics, section 1: the state is the fold of the entries in order."""
        every: list[Content] = [
            Opening(agents=(Agent(id=AgentId("alice")),), title="A talk"),
            said(1),
            Interpretation(
                turn=TurnId("T1"),
                operations=(
                    Observe(id=PropositionId("o1"), text="It rains.", formula=And((Atom("rain"), Atom("wind")))),
                ),
                interpreter="annotated@1",
            ),
            Retracted(retraction=Retract(target=PropositionId("o1")), by=AgentId("alice"), reason="it stopped"),
        ]
        written = (*store.append(HERE, every[:1]), *store.append(HERE, every[1:]))
        read = tuple(store.read(HERE))
        assert read == written
        assert contents_of(read) == every
        assert [entry.epoch for entry in read] == [1, 2, 3, 4]
        assert [entry.turn for entry in read] == [None, "T1", "T1", None]
        assert {entry.conversation for entry in read} == {HERE}
        assert all(entry.recorded_at for entry in read)
        assert len({entry.digest for entry in read}) == 4

    def test_a_part_of_a_conversation_can_be_read(self, store: Store) -> None:
        """Our promise: ``after`` < epoch <= ``upto``, whatever the two numbers are."""
        store.append(HERE, [said(number) for number in range(1, 251)])
        for after, upto, epochs in [
            (0, None, range(1, 251)),
            (248, None, range(249, 251)),
            (2, 5, range(3, 6)),
            (-3, 2, range(1, 3)),
            (5, 5, range(0)),
            (9, 4, range(0)),
            (0, -1, range(0)),
            (250, None, range(0)),
            (2**80, 2**90, range(0)),
        ]:
            assert [entry.epoch for entry in store.read(HERE, after=after, upto=upto)] == list(epochs), (after, upto)

    def test_reading_ends_at_the_version_of_the_call(self, store: Store) -> None:
        """Our promise: a reader that appends what it reads comes to an end."""
        store.append(HERE, [said(1), said(2)])
        for entry in store.read(HERE):
            store.append(HERE, [entry.content])
        assert store.version(HERE) == 4

    def test_the_version_is_the_count_of_entries(self, store: Store) -> None:
        """Our promise: 0 for a conversation that nobody wrote to, and reading it gives nothing."""
        assert store.version(HERE) == 0
        assert list(store.read(HERE)) == []
        store.append(HERE, [said(1), said(2)])
        assert store.version(HERE) == 2
        assert store.version(THERE) == 0

    def test_heads_are_given_together_as_each_by_itself(self, store: Store) -> None:
        """Our promise: in the order of the question, one asked for twice given twice, an unknown one at 0."""
        store.append(HERE, [said(1), said(2)])
        store.append(THERE, [said(1)])
        names = [THERE, ConversationId("nobody's"), HERE, THERE]
        assert store.heads(names) == tuple(map(store.head, names))
        assert [head.epoch for head in store.heads(names)] == [1, 0, 2, 1]
        assert store.heads([]) == ()
        with pytest.raises(MalformedInput):
            store.heads([HERE, ConversationId(" ")])

    def test_an_append_of_nothing_writes_nothing(self, store: Store) -> None:
        """Our promise: a turn without operations to record begins no conversation."""
        assert store.append(HERE, [], key="k") == ()
        assert store.conversations() == ()
        with pytest.raises(VersionConflict):
            store.append(HERE, [], expected=1)

    def test_an_append_is_kept_whole_or_not_at_all(self, store: Store) -> None:
        """Demanded by semantics, section 4: a turn's operations apply all or none."""
        store.append(HERE, [said(1)])
        with pytest.raises(MalformedInput):
            store.append(HERE, [said(2), said(3, "a lone \ud800 surrogate")])
        unreadable = Interpretation(turn=TurnId("T2"), operations=(Observe(id=PropositionId("no id"), text="x"),))
        with pytest.raises(MalformedInput):
            store.append(HERE, [said(2), unreadable], key="k")
        assert texts_of(store.read(HERE)) == ["words 1"]
        assert len(store.append(HERE, [said(2)], key="k")) == 1

    def test_a_writer_who_saw_an_older_version_is_told(self, store: Store) -> None:
        """C-30: the loser gets a typed error with which it can read again and retry."""
        store.append(HERE, [said(1)], expected=0)
        with pytest.raises(VersionConflict) as caught:
            store.append(HERE, [said(2)], expected=0)
        assert (caught.value.conversation, caught.value.expected, caught.value.found) == (HERE, 0, 1)
        store.append(HERE, [said(2)], expected=caught.value.found)
        assert store.version(HERE) == 2

    def test_the_same_key_again_gives_the_entries_of_the_first_time(self, store: Store) -> None:
        """C-26: the second ingest of an episode is a no-op, also for a writer whose version is outdated by it."""
        first = store.append(HERE, [said(1), said(2)], expected=0, key="import-7")
        store.append(HERE, [said(3)])
        assert store.append(HERE, [said(1), said(2)], expected=0, key="import-7") == first
        assert store.version(HERE) == 3

    def test_the_same_key_for_something_else_is_refused(self, store: Store) -> None:
        """C-26, the other side: silence would lose the second contents."""
        store.append(HERE, [said(1)], key="k")
        for other in ([said(2)], [said(1), said(1)], []):
            with pytest.raises(RepeatedIdentity, match="'k'"):
                store.append(HERE, other, key="k")
        assert store.version(HERE) == 1

    def test_a_key_belongs_to_its_conversation(self, store: Store) -> None:
        """C-32: nothing crosses from one partition into another, keys included; no key is no key."""
        store.append(HERE, [said(1)], key="k")
        store.append(THERE, [said(2)], key="k")
        store.append(HERE, [said(3)])
        store.append(HERE, [said(3)])
        assert texts_of(store.read(HERE)) == ["words 1", "words 3", "words 3"]
        assert texts_of(store.read(THERE)) == ["words 2"]

    @pytest.mark.parametrize(
        "text",
        ["Grüße, 世界 👩‍👩‍👧 e\u0301", '\0 \x1b \u2028 " \\ \r\n\t', "אבג \u202e abc", "'; DROP TABLE entries; --"],
        ids=["scripts", "controls", "right-to-left", "quotes"],
    )
    def test_any_text_comes_back_as_it_was(self, store: Store, text: str) -> None:
        """Our promise: no normalisation, no escape that is not undone."""
        store.append(HERE, [said(1, text)])
        assert texts_of(store.read(HERE)) == [text]

    def test_any_name_of_a_conversation_is_its_own(self, store: Store) -> None:
        """C-31: names that look alike are different partitions."""
        names = [ConversationId(name) for name in ("a", "A", "ä", "a\u0308", "a ", "a%", "_", "a/b", "世界")]
        for name in names:
            store.append(name, [said(1, name)])
        assert all(texts_of(store.read(name)) == [name] for name in names)
        assert store.conversations() == tuple(sorted(names))

    def test_a_large_text_is_kept(self, store: Store) -> None:
        """Our promise: a megabyte in one turn is no special case."""
        text = "Ein langer Tag. " * 65_536
        store.append(HERE, [said(1, text), said(2)])
        assert texts_of(store.read(HERE)) == [text, "words 2"]

    def test_what_is_written_for_one_is_not_read_by_another(self, store: Store) -> None:
        """C-32: written as alice, read as bob."""
        store.append(ConversationId("alice"), [said(1)])
        assert list(store.read(ConversationId("bob"))) == []
        assert store.conversations() == ("alice",)

    @pytest.mark.parametrize("name", ["", "  ", None, "a\0b", "\udfff"])
    def test_no_conversation_no_answer(self, store: Store, name: str | None) -> None:
        """C-32: without an id everything is refused, at the call and not at the first entry."""
        nowhere = cast("ConversationId", name)
        calls: list[Callable[[], object]] = [
            lambda: store.append(nowhere, [said(1)]),
            lambda: store.read(nowhere),
            lambda: store.version(nowhere),
            lambda: store.follow(nowhere, timeout=0),
        ]
        for call in calls:
            with pytest.raises(MalformedInput):
                call()
        assert store.conversations() == ()

    def test_a_key_that_no_database_can_carry_is_refused(self, store: Store) -> None:
        """Our promise: what is accepted can be read back, in every store."""
        for key in ("a\0b", "\ud800"):
            with pytest.raises(MalformedInput):
                store.append(HERE, [said(1)], key=key)
        with pytest.raises(MalformedInput):
            store.append(HERE, [Words(turn=TurnId("T\0"), speaker=AgentId("alice"))])
        assert store.version(HERE) == 0

    def test_a_closed_store_refuses_everything(self, store: Store) -> None:
        """Our promise: a typed error, and closing twice is no fault."""
        store.append(HERE, [said(1)])
        following = store.follow(HERE, timeout=PATIENCE)
        next(following)
        store.close()
        store.close()
        calls: list[Callable[[], object]] = [
            lambda: store.append(HERE, [said(1)]),
            lambda: store.read(HERE),
            lambda: store.version(HERE),
            store.conversations,
            lambda: store.follow(HERE, timeout=0),
            lambda: next(following),
            lambda: store.stirred(timeout=0),
        ]
        for call in calls:
            with pytest.raises(StoreError):
                call()

    def test_leaving_the_context_closes(self, store: Store) -> None:
        """Our promise: ``with`` gives the store itself, and closes it."""
        with store as same:
            assert same is store
        with pytest.raises(StoreError):
            store.version(HERE)


class DurableStoreContract(StoreContract):
    """What a store promises besides when its entries outlive the object; ``reopened`` opens the same ledgers anew."""

    def test_what_was_appended_is_there_after_reopening(self, store: Store, reopened: Callable[[], Store]) -> None:
        """Our promise: entries, versions and keys alike."""
        written = store.append(HERE, [said(1), said(2, "größer")], key="k")
        store.close()
        with reopened() as again:
            assert tuple(again.read(HERE)) == written
            assert again.append(HERE, [said(1), said(2, "größer")], key="k") == written
            assert [entry.epoch for entry in again.append(HERE, [said(3)], expected=2)] == [3]

    def test_what_is_kept_beside_the_entries_is_there_after_reopening(
        self, store: Store, reopened: Callable[[], Store]
    ) -> None:
        """Our promise: chain, head, snapshots and erasures alike, and the erased content is not there again."""
        store.append(HERE, [said(1), said(2)], key="k")
        store.erase(HERE, [1], reason="asked for")
        (last,) = store.append(HERE, [said(3)])
        snapshot = Snapshot(epoch=last.epoch, chain=last.chain, fingerprint="f", body=bytes(range(256)))
        store.save_snapshot(HERE, snapshot)
        before = (list(store.read(HERE)), list(store.kept(HERE)), store.head(HERE))
        store.close()
        with reopened() as again:
            assert (list(again.read(HERE)), list(again.kept(HERE)), again.head(HERE)) == before
            assert again.snapshot(HERE) == snapshot
            assert audit(again.kept(HERE), [again.head(HERE)]).faults == ()
            assert [entry.epoch for entry in again.append(HERE, [said(1), said(2)], key="k")] == [1, 2]
            assert again.erase(HERE, [1], reason="asked for") is None

    def test_two_open_stores_see_each_other(self, store: Store, reopened: Callable[[], Store]) -> None:
        """C-30 across objects: an append through one is a conflict, and news, for the other."""
        with reopened() as other:
            following = other.follow(HERE, timeout=PATIENCE)
            mark = other.stirred(timeout=PATIENCE)
            store.append(HERE, [said(1)])
            assert other.stirred(mark, timeout=PATIENCE) != mark
            assert texts_of([next(following)]) == ["words 1"]
            with pytest.raises(VersionConflict):
                other.append(HERE, [said(2)], expected=0)
            other.append(HERE, [said(2)], expected=1)
            assert texts_of(store.read(HERE)) == ["words 1", "words 2"]
            other.erase(HERE, [1], reason="asked for")
            assert texts_of(store.read(HERE)) == ["words 2"]
            with pytest.raises(VersionConflict):
                store.append(HERE, [said(3)], expected=2)
            (entry,) = store.append(HERE, [said(3)], expected=3)
            assert other.head(HERE) == Head(epoch=4, chain=entry.chain)
