"""What was answered already, one line an outcome, so that a run that stopped can go on.

A journal belongs to one arm of one suite over one set of items, and to one language model; change any of these and
there is a new journal. The last line may be torn (the machine went off while it was written): it is left out.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from threading import Lock
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.speech.models.reply import Usage
from upheld_evals.harness.suite import Outcome, Status

FORMAT = "upheld/eval-journal@1"


class Journal:
    """The outcomes of one arm, in a file; safe to write from several threads of one process."""

    def __init__(self, path: Path, *, head: dict[str, str]) -> None:
        """Read what is there, or begin with ``head``, which says what this is a journal of."""
        self._path = path
        self._lock = Lock()
        self._outcomes: dict[str, Outcome] = {}
        if path.exists():
            self._read()
        if not path.exists() or not path.stat().st_size:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_line({"format": FORMAT, **head}), encoding="utf-8")

    def get(self, item: str) -> Outcome | None:
        """Give the outcome of an item, if it has one."""
        return self._outcomes.get(item)

    def __len__(self) -> int:
        """Count the outcomes."""
        return len(self._outcomes)

    def add(self, outcome: Outcome) -> None:
        """Write an outcome down before anything else is asked."""
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(_line(_plain(outcome)))
            self._outcomes[outcome.item] = outcome

    def _read(self) -> None:
        content = self._path.read_text("utf-8")
        whole, _, torn = content.rpartition("\n")
        if torn:
            self._path.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                tree = json.loads(line)
                if number == 1:
                    if tree["format"] != FORMAT:
                        raise MalformedInput(f"no journal of the format {FORMAT}", source=str(self._path), line=1)
                    continue
                outcome = _outcome(tree)
            except (KeyError, TypeError, ValueError) as error:
                raise MalformedInput(
                    "no line of a journal: delete the file to begin again", source=str(self._path), line=number
                ) from error
            self._outcomes[outcome.item] = outcome


def journal_path(folder: Path, suite: str, arm: str, fingerprint: str) -> Path:
    """Give where the journal of an arm lies below a folder."""
    return folder / "journals" / _slug(suite) / f"{_slug(arm)}-{fingerprint}.jsonl"


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def _line(tree: dict[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")) + "\n"


def _plain(outcome: Outcome) -> dict[str, Any]:
    usage = outcome.usage
    return {
        "item": outcome.item,
        "arm": outcome.arm,
        "status": outcome.status.value,
        "score": outcome.score,
        "value": outcome.value,
        "certainty": outcome.certainty,
        "reason": outcome.reason,
        "usage": [usage.calls, usage.input_tokens, usage.output_tokens, usage.reused],
        "seconds": outcome.seconds,
        "preparing": outcome.preparing,
    }


def _outcome(tree: dict[str, Any]) -> Outcome:
    calls, input_tokens, output_tokens, reused = cast("list[int]", tree["usage"])
    return Outcome(
        item=tree["item"],
        arm=tree["arm"],
        status=Status(tree["status"]),
        score=tree["score"],
        value=tree["value"],
        certainty=tree["certainty"],
        reason=tree["reason"],
        usage=Usage(calls=calls, input_tokens=input_tokens, output_tokens=output_tokens, reused=reused),
        seconds=tree["seconds"],
        preparing=tree["preparing"],
    )
