"""The requests of the paper's tables as files that a provider answers: ``python -m upheld_evals.requests FOLDER``.

They are committed, so that whoever has a language model can answer them without running anything, and send back replies
that ``upheld eval … --recordings FILE`` reads. A test writes them again and compares. Later rounds (a look back after a
session, an objection) follow from replies, and are exported with these: ``--recordings R --export-requests F``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from upheld.errors import NoRecording
from upheld.speech.models.batches.exporting import export_requests
from upheld.speech.models.collecting import CollectingModel
from upheld.speech.models.request import Request
from upheld_evals.harness.corpus import Corpus, read_corpus
from upheld_evals.harness.exporting import requests_of
from upheld_evals.harness.telling import BY_SESSION, told
from upheld_evals.paper.classification import table1_suite, table7_suite
from upheld_evals.paper.direct import direct_suite
from upheld_evals.paper.grounding import e2_suite
from upheld_evals.paper.retrospect import retrospect_suite
from upheld_evals.paper.variants import variants_suite
from upheld_evals.suites.verifying import verify_suite

ANSWERING = "MODEL"
"""Stands in each file for the name of the language model that shall answer: replace it before sending."""

DEV = ("dev01-checkout-rollback", "dev09-lisbon-trip", "dev12-agent-flaky-test")
"""The development files that ``verify`` is asked on."""

Named = Iterator[tuple[str, Request]]


def requests_by_file(conversations: Path) -> Iterator[tuple[str, Named]]:
    """Give each file's name with its requests; ``conversations`` has the folders ``paper`` and ``dev``.

    Raises:
        MalformedInput: a conversation is missing.
    """
    paper = read_corpus([conversations / "paper"])
    dev = read_corpus([conversations / "dev" / f"{name}.yaml" for name in DEV])
    yield "turns-phase2", requests_of(table1_suite(paper))
    yield "turns-phase3", requests_of(table7_suite(paper))
    yield "sessions", chain(_sessions(paper), _sessions(dev))
    yield "look-back", requests_of(retrospect_suite(paper))
    yield "dependencies", chain(requests_of(direct_suite(paper, interpreters=())), requests_of(variants_suite(paper)))
    yield "verify-phase2", requests_of(e2_suite(paper, interpreters=()))
    yield "verify-dev", requests_of(verify_suite(dev, interpreters=()))


def _sessions(corpus: Corpus) -> Named:
    """Give the first request of each conversation that is read session by session."""
    for file in corpus.files:
        if file.transcript.paradigm == "knowledge":
            continue
        llm = CollectingModel(ANSWERING)
        llm.label = f"session {file.name}"
        try:
            told(file.transcript, BY_SESSION, llm)
        except NoRecording:
            yield from llm.requests


def write_all(conversations: Path, folder: Path) -> list[Path]:
    """Write every file, and give their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name, requests in requests_by_file(conversations):
        written += export_requests(requests, folder / f"{name}.jsonl", ANSWERING)
    return written


def main(arguments: Sequence[str]) -> None:
    """Write the files into a folder; the conversations are those of the checkout, unless a second folder is named."""
    folder = Path(arguments[0]) if arguments else Path("evals/requests")
    conversations = Path(arguments[1]) if len(arguments) > 1 else Path("tests/conversations")
    for path in write_all(conversations, folder):
        print(path)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
