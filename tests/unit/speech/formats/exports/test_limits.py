"""What a hostile or a large file may do: nothing but end in a deliberate error, or be read in little memory."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from upheld.errors import LimitExceeded, MalformedInput
from upheld.speech.formats.exports import sources, streaming
from upheld.speech.formats.exports.head import cut_off
from upheld.speech.formats.exports.sources import Source, source_of
from upheld.speech.formats.exports.streaming import lines, records
from upheld.speech.formats.exports.tally import MAX_DAMAGED, Tally
from upheld.speech.formats.reading import read_transcript, read_transcripts

DAY = "lab/2026-01-01.json"
MESSAGE = '[{"type": "message", "user": "U1", "text": "Hi.", "ts": "1767255600.0"}]'


def written(path: Path, content: str | bytes) -> Source:
    """A file with this content."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = source_of(path)
    assert isinstance(found, Source)
    return found


def test_a_record_that_is_nested_too_deeply_is_lost_alone(tmp_path: Path) -> None:
    """Our promise: bounded depth, whoever sent it."""
    deep = "[" * 100_000 + "]" * 100_000
    tally = Tally()
    source = written(tmp_path / "a.json", f'[1, {deep}, {{"a": {deep}}}, 2]')
    assert [value for _, value in records(source, "item", tally)] == [1, 2]
    assert [(each.place, each.why) for each in tally.damaged] == [
        ("[1]", "nested too deeply"),
        ("[2]", "nested too deeply"),
    ]


def test_the_beginning_of_a_file_is_looked_at_in_linear_time() -> None:
    """Our promise: brackets alone, as many as the beginning holds, cost no more than any text of that length."""
    assert cut_off("[" * 200_000) is None
    assert cut_off('{"a": [1, {"b": "c", "d": nope}, 2]}') == {"a": [1, {"b": "c"}]}
    assert cut_off('[{"a": 1}, {"b": "x') == [{"a": 1}, {}]


def test_a_number_of_many_digits_is_lost_alone(tmp_path: Path) -> None:
    """Our promise: huge numbers end no process; ijson's fast parser does not survive this one."""
    tally = Tally()
    source = written(tmp_path / "a.json", f'[1, {"9" * 5000}, {{"a": {"9" * 5000}}}, 1e999, 2]')
    assert [value for _, value in records(source, "item", tally)] == [1, float("inf"), 2]
    assert [each.why for each in tally.damaged] == ["a number with too many digits"] * 2


def test_arguments_that_are_nested_deeply_are_refused_with_their_message(tmp_path: Path) -> None:
    """Our promise: what can be parsed and not be written is damaged, not a fault."""
    deep = "[" * 800 + "]" * 800
    call = f'{{"role": "assistant", "tool_calls": [{{"id": "1", "function": {{"name": "f", "arguments": {deep}}}}}]}}'
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"role": "user", "content": "Hi."}}\n{call}\n', "utf-8")
    transcripts = read_transcripts(path, form="openai")
    assert next(turn.text for each in transcripts for turn in each.turns) == "Hi."


def test_a_record_over_its_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: over a stated limit is refused, never passed silently."""
    monkeypatch.setattr(streaming, "MAX_RECORD", 300_000)
    large = json.dumps([{"a": 1}, {"a": "x" * 900_000}])
    with pytest.raises(LimitExceeded, match="a record of more than 300000"):
        list(records(written(tmp_path / "a.json", large), "item", Tally()))
    with pytest.raises(LimitExceeded, match="a line of more than 300000"):
        list(lines(written(tmp_path / "a.jsonl", '{"a": "' + "x" * 900_000 + '"}\n'), Tally()))


def test_a_zip_that_unpacks_to_far_more_than_it_is_is_refused(tmp_path: Path) -> None:
    """Our promise: no zip bombs."""
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(DAY, b" " * 20_000_000)
    with pytest.raises(LimitExceeded, match="packed more than"):
        read_transcript(bomb)


def test_a_zip_of_too_many_members_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: as above, for the number of members and for all bytes together."""
    many = tmp_path / "many.zip"
    with zipfile.ZipFile(many, "w") as archive:
        for count in range(5):
            archive.writestr(f"lab/2026-01-0{count + 1}.json", MESSAGE)
    monkeypatch.setattr(sources, "MAX_MEMBERS", 4)
    with pytest.raises(LimitExceeded, match="more than 4 members"):
        read_transcript(many)
    monkeypatch.setattr(sources, "MAX_MEMBERS", 10)
    monkeypatch.setattr(sources, "MAX_UNPACKED", 100)
    with pytest.raises(LimitExceeded, match="bytes unpacked"):
        read_transcript(many)


def test_members_that_lead_outside_are_passed_over(tmp_path: Path) -> None:
    """Our promise: a path is a label; nothing is unpacked, and none that leads out is read."""
    tricky = tmp_path / "tricky.zip"
    with zipfile.ZipFile(tricky, "w") as archive:
        archive.writestr("../../lab/2026-01-02.json", MESSAGE.replace("Hi.", "Out."))
        archive.writestr(DAY, MESSAGE)
    assert [turn.text for turn in read_transcript(tricky).turns] == ["Hi."]
    folder = tmp_path / "folder"
    (folder / "lab").mkdir(parents=True)
    (folder / DAY).write_text(MESSAGE, "utf-8")
    outside = tmp_path / "outside.json"
    outside.write_text(MESSAGE.replace("Hi.", "Out."), "utf-8")
    (folder / "lab" / "2026-01-03.json").symlink_to(outside)
    assert [turn.text for turn in read_transcript(folder).turns] == ["Hi."]


@pytest.mark.parametrize("first", [60, 40])
def test_a_damaged_zip_is_refused_by_name(tmp_path: Path, first: int) -> None:
    """Our promise: a typed error that names the file."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(DAY, MESSAGE * 3)
    content = path.read_bytes()
    path.write_bytes(content[:first] if first > 50 else content[:first] + b"\xff" * 20 + content[first + 20 :])
    with pytest.raises(MalformedInput, match=r"a\.zip"):
        read_transcript(path)


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    """Our promise: it says what to do."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(DAY, MESSAGE)
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(content))
    with pytest.raises(MalformedInput, match="encrypted: unpack it"):
        read_transcript(path)


def test_no_more_damage_is_listed_than_the_limit(tmp_path: Path) -> None:
    """Our promise: a file of nothing but damage takes no memory."""
    tally = Tally()
    assert list(lines(written(tmp_path / "a.jsonl", "nope\n" * (MAX_DAMAGED + 5)), tally)) == []
    assert (len(tally.damaged), tally.unlisted) == (MAX_DAMAGED, 5)


def chats(count: int) -> Iterator[str]:
    """ChatGPT conversations of some 3 kB each."""
    for number in range(count):
        nodes = {
            f"n{place}": {
                "parent": f"n{place - 1}" if place else None,
                "children": [f"n{place + 1}"] if place < 9 else [],
                "message": {
                    "author": {"role": "user" if place % 2 == 0 else "assistant"},
                    "content": {"content_type": "text", "parts": ["Words of some length. " * 5]},
                    "create_time": 1767225600 + place,
                },
            }
            for place in range(10)
        }
        yield json.dumps({"id": f"c{number}", "title": "t", "mapping": nodes, "current_node": "n9"})


def peak(path: Path) -> int:
    """Bytes at the highest while all conversations are read and none is kept."""
    tracemalloc.start()
    count = sum(1 for _ in read_transcripts(path))
    high = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count
    return high


@pytest.mark.parametrize("form", ["array", "lines"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, form: str) -> None:
    """Our promise: memory follows the largest record; four times the file takes no more, but for the ids."""
    peaks: list[int] = []
    for count in (400, 1600):
        path = tmp_path / f"{count}.{'json' if form == 'array' else 'jsonl'}"
        path.write_text(f"[{','.join(chats(count))}]" if form == "array" else "\n".join(chats(count)), "utf-8")
        peaks.append(peak(path))
    assert path.stat().st_size > 3_000_000
    assert peaks[1] < peaks[0] * 1.25 + 200_000
    assert peaks[1] < path.stat().st_size
