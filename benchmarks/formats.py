"""Reading exports of other programs: bytes a second, and the highest memory, against the size of the file.

    python benchmarks/formats.py [--quick] [--mb 1000] [--json] [--plot build/bench/formats.svg]

For each form a file is generated (from fixed contents, conversation after conversation) in two sizes, and read in a
process of its own: every conversation is made and dropped again. The highest memory is what the system says of that
process (``ru_maxrss``), less what it had before it opened the file. Beside it: the same bytes through ``json.loads``,
line by line, in the same way; nobody can read JSON in Python's own objects faster.

What this cannot show: other machines' discs (the file has just been written, so it is read from memory), and files of
one conversation alone, whose transcript is as large as they are.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from measuring import as_json, table

from upheld.speech.formats.reading import read_transcripts

MEGABYTE = 1_000_000
WORDS = "The valve on line three was closed at noon, and the pressure fell within a minute. "
SIZES = {True: (2, 8), False: (8, 32)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file read once: megabytes of it, a second, and of memory; ``ratio`` is the time to that of ``json.loads``."""

    form: str
    megabytes: float
    conversations: int
    mb_per_s: float
    peak_mb: float
    ratio: float


def openai(number: int) -> str:
    """Give a request with a tool call."""
    call = {"id": "c", "type": "function", "function": {"name": "gauge", "arguments": '{"line": 3}'}}
    turns = [
        {"role": "user", "content": WORDS * 3},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": WORDS},
        {"role": "assistant", "content": WORDS * 2},
    ]
    return json.dumps({"custom_id": str(number), "messages": turns * 2})


def chatgpt(number: int) -> str:
    """Give a tree of one branch."""
    nodes = {
        f"n{place}": {
            "parent": f"n{place - 1}" if place else None,
            "message": {
                "author": {"role": "assistant" if place % 2 else "user"},
                "content": {"content_type": "text", "parts": [WORDS * 2]},
                "create_time": 1767225600 + place,
            },
        }
        for place in range(8)
    }
    return json.dumps({"id": str(number), "title": "Valve", "mapping": nodes, "current_node": "n7"})


def sharegpt(number: int) -> str:
    """Give a record of four turns."""
    turns = [{"from": "gpt" if place % 2 else "human", "value": WORDS * 3} for place in range(4)]
    return json.dumps({"id": str(number), "conversations": turns})


def otlp(number: int) -> str:
    """Give a span with its messages as JSON in an attribute."""
    said = [{"role": "user", "parts": [{"type": "text", "content": WORDS * 3}]}]
    back = [{"role": "assistant", "parts": [{"type": "text", "content": WORDS * 2}]}]
    attributes = [
        {"key": f"gen_ai.{name}.messages", "value": {"stringValue": json.dumps(each)}}
        for name, each in (("input", said), ("output", back))
    ]
    return json.dumps({"traceId": f"{number:032x}", "startTimeUnixNano": str(number), "attributes": attributes})


FORMS = {
    "openai": (openai, "", "\n", ""),
    "chatgpt": (chatgpt, "[", ",\n", "]"),
    "sharegpt": (sharegpt, "[", ",\n", "]"),
    "otlp": (otlp, '{"resourceSpans":[{"scopeSpans":[{"spans":[', ",\n", "]}]}]}"),
}


def generated(form: str, megabytes: float, path: Path) -> None:
    """Write a file of a form and a size."""
    record, opening, between, closing = FORMS[form]
    with path.open("w", encoding="utf-8") as file:
        file.write(opening)
        size = 0
        for number in count():
            written = (between if number else "") + record(number)
            file.write(written)
            size += len(written)
            if size >= megabytes * MEGABYTE:
                break
        file.write(closing)


def measured(form: str, megabytes: float) -> Reading:
    """Read a file in a process of its own, and the same bytes by lines with ``json.loads``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.jsonl" if form == "openai" else "export.json")
        generated(form, megabytes, path)
        size = path.stat().st_size / MEGABYTE
        found, seconds, peak = in_a_child("transcripts", path)
        _, plain, _ = in_a_child("loads", path)
    return Reading(
        form=form, megabytes=size, conversations=found, mb_per_s=size / seconds, peak_mb=peak, ratio=seconds / plain
    )


def in_a_child(what: str, path: Path) -> tuple[int, float, float]:
    """Give conversations, seconds and megabytes of memory of a child that reads a file."""
    run = subprocess.run(
        [sys.executable, __file__, "--child", what, str(path)], capture_output=True, text=True, check=True
    )
    found, seconds, peak = run.stdout.split()
    return int(found), float(seconds), float(peak)


def child(what: str, path: Path) -> None:
    """Read a file, and print what it took."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    if what == "loads":
        found = sum(1 for _ in plain(path))
    else:
        transcripts = read_transcripts(path)
        found = sum(1 for _ in transcripts)
        if transcripts.damaged:
            raise SystemExit(f"damaged: {transcripts.damaged[0]}")
    seconds = time.process_time() - start
    print(found, seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / MEGABYTE)


def plain(path: Path) -> Iterator[object]:
    """Give each line that is a record, parsed, as each record of the generated files is on a line of its own."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            start, end = line.find("{"), line.rfind("}") + 1
            if line.startswith('{"resourceSpans'):
                start = line.find('{"traceId')
            try:
                yield json.loads(line[start:end])
            except json.JSONDecodeError:
                yield json.loads(line[start : line.rfind("]}]}]}")] or "null")


def plot(readings: list[Reading], target: Path) -> None:
    """Draw the highest memory over the size of the file."""
    mpl.use("agg")
    drawn: Any = plt
    figure, axes = drawn.subplots(figsize=(6, 4))
    for form in FORMS:
        rows = [each for each in readings if each.form == form]
        axes.plot([each.megabytes for each in rows], [each.peak_mb for each in rows], marker="o", label=form)
    largest = max(each.megabytes for each in readings)
    axes.plot([0, largest], [0, largest], linestyle=":", color="grey", label="the file itself")
    axes.set(xlabel="file, MB", ylabel="highest memory, MB", title="Exports are read a record at a time")
    axes.legend()
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, bbox_inches="tight")


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in under a minute")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of a table")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the figures into an image")
    parser.add_argument("--mb", type=float, help="one more size, in MB")
    parser.add_argument("--form", choices=list(FORMS), action="append", help="only this form; may be repeated")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], Path(options.child[1]))
        return
    sizes = [*SIZES[options.quick], *([options.mb] if options.mb else [])]
    readings = [measured(form, size) for form in options.form or FORMS for size in sizes]
    if options.json:
        print(as_json({"readings": readings}))
    else:
        table(
            "Exports, read a record at a time",
            ["form", "file MB", "conversations", "MB/s", "highest memory MB", "time to json.loads"],
            [
                (each.form, f"{each.megabytes:.1f}", each.conversations, f"{each.mb_per_s:.1f}", f"{each.peak_mb:.1f}",
                 f"{each.ratio:.1f}")
                for each in readings
            ],
        )  # fmt: skip
    if options.plot:
        plot(readings, options.plot)


if __name__ == "__main__":
    main()
