"""Values as bytes: what comes back, what is refused, and which bytes are whose."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, make_dataclass, replace
from enum import Enum, StrEnum
from itertools import product
from random import Random
from typing import Any

import pytest
from rpds import HashTrieMap, HashTrieSet, List

from upheld.errors import MalformedInput
from upheld.logic.language.formulas import And, Atom, Formula, Implies, Not, Top
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.reasoning.state import State
from upheld.record.snapshots.codec import SnapshotCodec
from upheld.record.snapshots.layered import LayeredMap, LayeredSet
from upheld.record.snapshots.shapes import WIDE, shapes_of

Edit = Callable[[dict[str, Any]], object]
"""Something that a stranger does to a catalogue."""


class Colour(StrEnum):
    """A few words."""

    RED = "red"
    BLUE = "blue"


class Number(Enum):
    """A few numbers."""

    ONE = 1


@dataclass(slots=True)
class Cache:
    """Something that changes in place."""

    found: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """Only plain fields, so it may be a key."""

    name: str
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One of everything that can be kept."""

    text: str = ""
    count: int = 0
    is_open: bool = False
    colour: Colour = Colour.RED
    number: Number = Number.ONE
    maybe: Leaf | None = None
    pairs: tuple[tuple[Leaf, ...], ...] = ()
    names: frozenset[str] = frozenset()
    leaves: frozenset[Leaf] = frozenset()
    sizes: HashTrieMap[Leaf, int] = HashTrieMap()
    groups: HashTrieMap[str, HashTrieSet[str]] = HashTrieMap()
    row: List[Leaf] = List()
    boxes: tuple[Box, ...] = ()
    cache: Cache = field(default_factory=Cache)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A formula, which may be as deep as somebody likes."""

    formula: Formula


SPRIG = Leaf(name="sprig", size=-1)
FULL = Box(
    text="\U0001d518nicode, \ud800 and \0",
    count=1 << 90,
    is_open=True,
    colour=Colour.BLUE,
    maybe=SPRIG,
    pairs=((SPRIG, Leaf(name="")), ()),
    names=frozenset({"a", "b"}),
    leaves=frozenset({SPRIG}),
    sizes=HashTrieMap({SPRIG: 3}),
    groups=HashTrieMap({f"g{number}": HashTrieSet([str(number)]) for number in range(200)}),
    row=List([SPRIG, SPRIG]),
    boxes=(Box(), Box(maybe=SPRIG)),
)


def boxes(*, wide: int = WIDE) -> SnapshotCodec[Box]:
    """Give the codec under test."""
    return SnapshotCodec(Box, wide=wide)


def content_of(body: bytes) -> bytes:
    """Give what the only slice of a body unfolds to."""
    assert int.from_bytes(body[:8], "little") == len(body) - 8
    return zlib.decompress(body[8:])


def body_of(content: bytes) -> bytes:
    """Give a body with whole checksums over any content."""
    slice = zlib.compress(content)
    return len(slice).to_bytes(8, "little") + slice


def touched(box: Box) -> Box:
    """Look at everything, as what is wrong in a large map is found then."""
    for container in (box.sizes, box.groups):
        assert len(list(container.items())) == len(list(container.values()))
    for group in box.groups.values():
        assert all(isinstance(item, str) for item in group)
    return box


@pytest.mark.parametrize("wide", [0, 2, WIDE])
def test_everything_on_the_list_comes_back_equal(wide: int) -> None:
    """Our promise: an equal value, and nothing of the caches."""
    FULL.cache.found = 7
    again = boxes(wide=wide).decode(boxes(wide=wide).encode(FULL))
    assert again == Box(**{name: getattr(FULL, name) for name in Box.__slots__ if name != "cache"})
    assert again.cache == Cache()
    assert again.count is not True
    assert type(again.is_open) is bool


def test_what_was_one_object_is_one_object_again() -> None:
    """Our promise: sharing is kept, since entries of the base are told apart by identity."""
    again = boxes().decode(boxes().encode(FULL))
    assert again.maybe is next(iter(again.row))
    assert again.maybe is again.boxes[1].maybe
    assert again.maybe is again.pairs[0][0]


def test_a_large_map_is_layered_and_is_written_again_with_its_changes() -> None:
    """Our promise: a state that came from a snapshot can be kept in the next one."""
    again = boxes().decode(boxes().encode(FULL))
    groups: Any = again.groups
    assert repr(groups).startswith(LayeredMap.__name__)
    changed = Box(groups=groups.remove("g7").insert("new", HashTrieSet(["n"])).insert("g1", HashTrieSet()))
    once_more = boxes().decode(boxes().encode(changed))
    assert once_more.groups == changed.groups
    assert len(once_more.groups) == 200


@pytest.mark.parametrize("depth", [1, 20_000])
def test_depth_is_no_limit(depth: int) -> None:
    """Demanded by our style: never recurse over what a user can make deep."""
    formula: Formula = Atom("p")
    for _ in range(depth):
        formula = Not(formula)
    codec = SnapshotCodec(Meaning)
    found = codec.decode(codec.encode(Meaning(formula=formula))).formula
    count = 0
    while isinstance(found, Not):
        found, count = found.operand, count + 1
    assert (found, count) == (Atom("p"), depth)


def test_formulas_of_every_shape_come_back() -> None:
    """Our promise: also a class without fields."""
    codec = SnapshotCodec(Meaning)
    formula = Implies(And((Atom("p"), Top())), Not(Top()))
    assert codec.decode(codec.encode(Meaning(formula=formula))) == Meaning(formula=formula)


# --- bit by bit ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Large maps and sets, one of them from what is no text."""

    leaves: HashTrieMap[str, Leaf] = HashTrieMap()
    names: HashTrieSet[str] = HashTrieSet()
    sizes: HashTrieMap[int, Leaf] = HashTrieMap()


SHELVES = SnapshotCodec(Shelf)


def shelf(count: int = 500) -> Shelf:
    """Give a shelf with so much of everything."""
    leaves = [Leaf(name=f"leaf {number}", size=number) for number in range(count)]
    return Shelf(
        leaves=HashTrieMap({leaf.name: leaf for leaf in leaves}),
        names=HashTrieSet([leaf.name for leaf in leaves]),
        sizes=HashTrieMap({leaf.size: leaf for leaf in leaves if leaf.size % 2}),
    )


def test_opening_makes_no_row_of_a_large_map_and_a_look_up_makes_one() -> None:
    """Our promise: opening costs what is small, so that a million entries are there in a second or two."""
    codec = SnapshotCodec(Shelf, wide=2)
    opened = codec.opened(codec.encode(replace(shelf(), sizes=HashTrieMap())))
    before = len(opened.archive.numbers())
    assert before < 20
    assert opened.value.leaves["leaf 77"] == Leaf(name="leaf 77", size=77)
    assert opened.value.leaves["leaf 77"] is opened.value.leaves["leaf 77"]
    assert "leaf 12" in opened.value.names
    assert "leaf 12" in opened.value.leaves
    assert "leaf x" not in opened.value.leaves
    assert opened.value.leaves.get("leaf x") is None
    assert len(opened.archive.numbers()) <= before + 3


def test_keys_with_the_same_checksum_are_told_apart() -> None:
    """Our promise: rows are found by CRC-32, which two texts may share ("plumless" and "buckeroo" do)."""
    first, second = "plumless", "buckeroo"
    assert zlib.crc32(first.encode()) == zlib.crc32(second.encode())
    codec = SnapshotCodec(Shelf, wide=0)
    names = HashTrieMap({first: SPRIG, second: Leaf(name="other")})
    found = codec.decode(codec.encode(Shelf(leaves=names))).leaves
    assert (found[first], found[second]) == (SPRIG, Leaf(name="other"))
    alone = codec.decode(codec.encode(Shelf(leaves=names.remove(first)))).leaves
    assert first not in alone


def test_a_body_upon_another_writes_what_is_new_alone() -> None:
    """Our promise: keeping a little more costs a little more, and nothing of what is there is made for it."""
    opened = SHELVES.opened(SHELVES.encode(shelf()))
    grown = replace(
        opened.value,
        leaves=opened.value.leaves.insert("new", SPRIG).insert("leaf 3", SPRIG).remove("leaf 4"),
        names=opened.value.names.insert("new").discard("leaf 4"),
    )
    made = len(opened.archive.numbers())
    body = SHELVES.encode(grown, upon=opened)
    assert body.startswith(opened.content)
    assert len(body) - len(opened.content) < 900
    assert len(opened.archive.numbers()) <= made + 3
    again = SHELVES.opened(body)
    assert again.slices == 2
    assert again.value == grown
    assert again.value.leaves.get("leaf 4") is None
    assert "leaf 4" not in again.value.leaves
    assert again.value.leaves["leaf 3"] is again.value.leaves["new"]
    assert len(again.value.names) == len(list(again.value.names)) == 500
    assert SHELVES.decode(SHELVES.encode(again.value)) == grown


def test_slices_upon_slices_are_what_one_would_be() -> None:
    """Our promise: also what came back after it was gone, and gone again."""
    value, body = shelf(100), SHELVES.encode(shelf(100))
    chance = Random(3)
    plain = dict(value.leaves.items())
    for number in range(6):
        opened = SHELVES.opened(body)
        leaves = opened.value.leaves
        for _ in range(12):
            name = f"leaf {chance.randrange(110)}"
            if chance.randrange(2):
                plain[name] = Leaf(name=name, size=-number)
                leaves = leaves.insert(name, plain[name])
            else:
                plain.pop(name, None)
                leaves = leaves.discard(name)
        body = SHELVES.encode(replace(opened.value, leaves=leaves), upon=opened)
        assert SHELVES.opened(body).slices == number + 2
        assert dict(SHELVES.decode(body).leaves.items()) == plain
        assert len(SHELVES.decode(body).leaves) == len(plain)
        found = SHELVES.decode(body).leaves
        assert all(found.get(f"leaf {each}") == plain.get(f"leaf {each}") for each in range(120))
        assert all((f"leaf {each}" in found) == (f"leaf {each}" in plain) for each in range(120))


def test_threads_that_look_at_once_find_the_same_objects() -> None:
    """Our promise: entries of the base are told apart by identity, whoever touches them first."""
    found = SHELVES.decode(SHELVES.encode(shelf(2000))).leaves
    names = [f"leaf {number}" for number in range(2000)]
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = [each.result() for each in [pool.submit(lambda: [found[name] for name in names]) for _ in range(4)]]
    assert all(one is other for answer in answers[1:] for one, other in zip(answer, answers[0], strict=True))


def test_a_value_within_itself_is_refused() -> None:
    """Our promise: a stranger's circle ends in the typed error and not in an endless one."""
    codec = SnapshotCodec(Meaning)
    content = content_of(codec.encode(Meaning(formula=Not(Not(Atom("p"))))))
    length = int.from_bytes(content[:8], "little")
    columns = bytearray(content[8 + length :])
    assert len(columns) < 20
    for place, byte in product(range(len(columns)), range(16)):
        damaged = columns.copy()
        damaged[place] = byte
        with suppress(MalformedInput):
            assert isinstance(codec.decode(body_of(content[: 8 + length] + damaged)), Meaning)


# --- a stranger's bytes ----------------------------------------------------------------------------------------------


def test_a_flipped_byte_is_noticed_or_gives_a_value_of_the_right_type() -> None:
    """Our promise: damage raises one typed error, whatever it hits."""
    body = boxes().encode(FULL)
    chance = Random(1)
    refused = 0
    for _ in range(300):
        damaged = bytearray(body)
        damaged[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
        try:
            assert isinstance(boxes().decode(bytes(damaged)), Box)
        except MalformedInput:
            refused += 1
    assert refused > 290


def test_damage_under_a_whole_checksum_is_noticed_or_gives_a_value_of_the_right_type() -> None:
    """Our promise: the checks do not hang on the compression's sum."""
    content = content_of(boxes().encode(FULL))
    chance = Random(2)
    refused = 0
    for _ in range(300):
        damaged = bytearray(content)
        damaged[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        try:
            again = touched(boxes().decode(body_of(bytes(damaged))))
        except MalformedInput:
            refused += 1
        else:
            assert isinstance(again.text, str)
            assert isinstance(again.maybe, Leaf | None)
            assert all(isinstance(leaf, Leaf) for group in again.pairs for leaf in group)
            assert all(isinstance(group, HashTrieSet | LayeredSet) for group in again.groups.values())
    assert refused > 60


@pytest.mark.parametrize("length", [0, 1, 7, 8, 40, -5, -1])
def test_what_is_cut_short_is_refused(length: int) -> None:
    """Our promise: a half-written body is not half a value."""
    body = boxes().encode(FULL)
    with pytest.raises(MalformedInput):
        boxes().decode(body[:length])
    with pytest.raises(MalformedInput):
        touched(boxes().decode(body_of(content_of(body)[:length])))
    with pytest.raises(MalformedInput):
        boxes().decode(body + b"\0")


def edited(change: Edit, body: bytes) -> bytes:
    """Give a body whose catalogue somebody edited."""
    content = content_of(body)
    length = int.from_bytes(content[:8], "little")
    catalogue = json.loads(content[8 : 8 + length])
    change(catalogue)
    text = json.dumps(catalogue).encode()
    return body_of(len(text).to_bytes(8, "little") + text + content[8 + length :])


EDITS: list[Edit] = [
    lambda catalogue: catalogue.update(root=0),
    lambda catalogue: catalogue.update(root=10**9),
    lambda catalogue: catalogue.update(root="x"),
    lambda catalogue: catalogue.update(texts=10**12),
    lambda catalogue: catalogue.update(texts=-1),
    lambda catalogue: catalogue["integers"].__setitem__(0, "5"),
    lambda catalogue: catalogue["integers"].__setitem__(0, True),
    lambda catalogue: catalogue["members"].__setitem__(0, ["Colour", "green"]),
    lambda catalogue: catalogue["members"].__setitem__(0, ["os.system", "ls"]),
    lambda catalogue: catalogue["classes"].__setitem__(0, ["Popen", 1]),
    lambda catalogue: catalogue["classes"].__setitem__(0, ["Box", -1]),
    lambda catalogue: catalogue["classes"].__setitem__(0, ["Box", 10**12]),
    lambda catalogue: catalogue["classes"].reverse(),
    lambda catalogue: catalogue["containers"].pop(),
    lambda catalogue: catalogue["containers"].__setitem__(0, [17, 1]),
    lambda catalogue: catalogue["containers"].__setitem__(0, [0, 10**12]),
    lambda catalogue: catalogue["wide"].pop(),
    lambda catalogue: catalogue["wide"].__setitem__(0, [0, 2]),
    lambda catalogue: catalogue["columns"].pop(),
    lambda catalogue: catalogue["columns"].__setitem__(0, ["d", 1]),
    lambda catalogue: catalogue["columns"].__setitem__(0, ["I", -1]),
    lambda catalogue: catalogue["columns"].append(["B", 0]),
    lambda catalogue: catalogue.pop("texts"),
]


@pytest.mark.parametrize("change", EDITS)
def test_an_edited_catalogue_is_refused(change: Edit) -> None:
    """Our promise: a stranger's bytes name nothing outside the list, and ask for no memory that they do not fill."""
    with pytest.raises(MalformedInput):
        boxes().decode(edited(change, boxes().encode(FULL)))


def test_a_class_without_fields_cannot_ask_for_memory() -> None:
    """Our promise: what nothing refers to is not made, however many a stranger says there are."""
    codec = SnapshotCodec(Meaning)
    body = edited(
        lambda catalogue: [each.__setitem__(1, 9_999_999) for each in catalogue["classes"] if each[0] == "Top"],
        codec.encode(Meaning(formula=Top())),
    )
    tracemalloc.start()
    assert codec.decode(body) == Meaning(formula=Top())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


def test_a_value_of_another_type_is_refused_wherever_it_stands() -> None:
    """Our promise: each place is held against its hint, also inside containers."""
    box: Any = Box
    for wrong in (
        box(text=5),
        box(maybe="leaf"),
        box(pairs=(("leaf",),)),
        box(names=frozenset({1})),
        box(groups=HashTrieMap({"a": HashTrieSet([1])})),
        box(groups=HashTrieMap({1: HashTrieSet(["a"])})),
        box(sizes=HashTrieMap({SPRIG: "3"})),
        box(row=List(["leaf"])),
        box(colour="red"),
        box(count=True),
    ):
        for wide in (0, WIDE):
            with pytest.raises(MalformedInput):
                touched(boxes(wide=wide).decode(boxes(wide=wide).encode(wrong)))


# --- the closed list -------------------------------------------------------------------------------------------------


def test_what_is_not_on_the_list_is_refused_when_it_is_written() -> None:
    """Our promise: nothing is kept that could not be read back."""
    box: Any = Box
    with pytest.raises(MalformedInput):
        boxes().encode(box(text=1.5))
    with pytest.raises(MalformedInput):
        boxes().encode(box(names=frozenset({And((Atom("p"),))})))
    with pytest.raises(MalformedInput):
        boxes().encode(box(groups=HashTrieMap({"a": object()})))


@dataclass(frozen=True, slots=True)
class Floating:
    """A field of a type that is not on the list."""

    size: float | None


@dataclass(frozen=True)
class Slotless:
    """No slots."""

    size: int


@dataclass(frozen=True, slots=True)
class Cached:
    """A cache that nobody can make anew."""

    cache: Cache


@pytest.mark.parametrize("kind", [Floating, Slotless, Cached])
def test_a_definition_outside_the_list_is_a_fault_of_whoever_wrote_it(kind: type) -> None:
    """Our promise: it is found when the shapes are read, not when a state happens to hold one."""
    with pytest.raises(TypeError):
        shapes_of(kind)


def test_the_state_is_made_of_what_is_on_the_list() -> None:
    """Our promise: a new field of the state is kept without an edit, or this test fails."""
    shapes = shapes_of(State)
    assert {"State", "Node", "Network", "Rule", "Entry", "Component", "And"} <= shapes.classes.keys()
    assert set(shapes.classes["Component"].remade) == {"judge", "solved"}
    assert set(shapes.classes["Entry"].remade) == {"notes"}


# --- the fingerprint -------------------------------------------------------------------------------------------------


def test_another_context_or_type_has_another_fingerprint() -> None:
    """Our promise: what was folded under other rules does not fit."""
    prints = {
        SnapshotCodec(Box).fingerprint,
        SnapshotCodec(Box, context="strict").fingerprint,
        SnapshotCodec(Meaning).fingerprint,
        SnapshotCodec(Leaf).fingerprint,
    }
    assert len(prints) == 4
    assert SnapshotCodec(Box).fingerprint in prints


def test_a_renamed_field_and_another_type_each_change_the_description() -> None:
    """Our promise: the fingerprint follows the definitions, so nobody has to remember a number."""
    fields: tuple[tuple[str, Any], ...] = (("size", int), ("extent", int), ("size", int | None), ("size", int))
    kinds = [make_dataclass("Thing", [each], frozen=True, slots=True) for each in fields]
    assert len({json.dumps(shapes_of(kind).described()) for kind in kinds}) == 3


def test_literals_as_keys_come_back() -> None:
    """Our promise: a map over literals, as the dependency map has it."""

    @dataclass(frozen=True, slots=True)
    class Rows:
        by: HashTrieMap[Literal, str]

    codec = SnapshotCodec(Rows)
    rows = Rows(HashTrieMap({Literal(PropositionId("p"), True): "a", Literal(PropositionId("p")): "b"}))
    assert codec.decode(codec.encode(rows)) == rows
