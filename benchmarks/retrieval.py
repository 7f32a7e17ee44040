"""Whether retrieval finds the evidence: recall at k beside BM25, on the same files in the same run.

    python benchmarks/retrieval.py [--suite dev,long,qmsum,longmemeval,locomo] [--locomo FILE] [--json]

1. **dev**: the questions of the annotated conversations, over engine items (gold operations told) and over turns (a
   turn counts for the propositions that it introduced), asked at their turn. **long** is the same with several
   conversations in one channel.
2. **qmsum**: specific queries about meetings; a turn counts when it lies in ``relevant_text_span``. *hit* is the share
   of queries with such a turn among the first k, *span* the share of the span that is there.
3. **longmemeval**: the current turn at 1 and 5, and how often a superseded turn stands above it, with the evidence of
   the other items as haystack. The 20 items whose gold value is not plainly in the later session are left out.
4. **locomo**: evidence over turns, for the first 20 questions of three conversations, and by category for all of it;
   conversations 42 and 43, on which settings were chosen, are left out.

The baseline (*bm25*) is plain: lower-case words, all of them, k1 = 1.2, b = 0.75, turns as they were said. *lexical* is
the retriever without vectors, *hybrid* all of it, both over engine items with hops along the graph; *ranks* fuses the
legs by reciprocal ranks, *no feedback* asks no second question. Intervals are paired bootstraps (2,000 draws, seed 0)
of the difference to *bm25*. Finders, and how meetings are read, are those of the harness (``pip install -e evals``):
QMSum is a suite of it, ``upheld eval qmsum``.

What this cannot show: settings were chosen on dev, long and LoCoMo's 42 and 43, so the rows of dev and long flatter;
dev has 49 questions, and one is worth two points. *span* stays far below 1 at small depths, for spans are some fifty
turns long.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from measuring import table

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.replaying import loaded
from upheld.errors import MissingExtra
from upheld.logic.language.identities import TurnId
from upheld.logic.reasoning.state import State
from upheld.speech.embedding.local import local_embedder
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript
from upheld.speech.retrieval.document import Document
from upheld.speech.retrieval.documents import documents_of, documents_of_turns
from upheld.speech.retrieval.links import neighbours_of
from upheld_evals.external.finding.material import (
    DEPTHS,
    NO_HOPS,
    Finder,
    Material,
    Question,
    finders,
    hit,
    ranked,
    recall,
)
from upheld_evals.external.finding.qmsum import meetings

DRAWS = 2000
REMEMBERED = 100_000
CHOSEN_ON = ("conv-42", "conv-43")
MULTI_HOP, ADVERSARIAL = 1, 5
PROTOCOL_60 = ("conv-26", "conv-30", "conv-41")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One arm on one set of questions: the mean at each depth, and the difference to bm25 at 5 with its interval."""

    data: str
    measure: str
    arm: str
    n: int
    at: dict[int, float]
    gain_at_5: float
    low: float
    high: float


Measure = Callable[[Sequence[str], frozenset[str], int], float]


def rows_of(
    data: str, materials: Sequence[Material], arms: dict[str, Finder], measures: dict[str, Measure]
) -> list[Row]:
    """Run all arms on the same questions."""
    scores: dict[tuple[str, str], list[list[float]]] = {}
    arms = {name: arm for name, arm in arms.items() if name != NO_HOPS or any(each.neighbours for each in materials)}
    for arm, make in arms.items():
        for material in materials:
            for found, question in ranked(make, material):
                for name, measure in measures.items():
                    values = [measure(found, question.gold, depth) for depth in DEPTHS]
                    scores.setdefault((name, arm), []).append(values)
    baseline = next(iter(arms))
    return [_row(data, name, arm, values, scores[name, baseline]) for (name, arm), values in scores.items()]


def _row(data: str, measure: str, arm: str, values: list[list[float]], baseline: list[list[float]]) -> Row:
    at_5 = DEPTHS.index(5)
    gains = [mine[at_5] - theirs[at_5] for mine, theirs in zip(values, baseline, strict=True)]
    low, high = interval(gains)
    means = {depth: round(statistics.fmean(each[place] for each in values), 3) for place, depth in enumerate(DEPTHS)}
    return Row(
        data=data,
        measure=measure,
        arm=arm,
        n=len(values),
        at=means,
        gain_at_5=round(statistics.fmean(gains), 3),
        low=low,
        high=high,
    )


def interval(gains: Sequence[float]) -> tuple[float, float]:
    """Give the 95 % interval of a mean by drawing questions again (Efron & Tibshirani 1993, section 13.3)."""
    chance = random.Random(0)
    drawn = sorted(statistics.fmean(chance.choices(gains, k=len(gains))) for _ in range(DRAWS))
    return round(drawn[int(0.025 * DRAWS)], 3), round(drawn[int(0.975 * DRAWS)], 3)


# --- annotated conversations ---------------------------------------------------------------------------------------


def told(transcript: Transcript) -> Iterator[tuple[TurnId | None, State]]:
    """Give the states at which questions are asked."""
    conversation = loaded(transcript)
    gold = transcript.gold
    for at in dict.fromkeys(question.at for question in (gold.questions if gold is not None else ())):
        yield at, conversation.state if at is None else conversation.timeline.at(at)


def annotated(files: Iterable[Path], *, is_over_items: bool) -> Iterator[Material]:
    """Give engine items, or turns, as of each moment at which the files ask something."""
    for file in files:
        transcript = read_transcript(file)
        if transcript.gold is None:
            continue
        for at, state in told(transcript):
            view = StateView(state)
            turns = transcript.turns
            if at is not None:
                turns = turns[: [turn.id for turn in turns].index(at) + 1]
            origin = {known.proposition.id: known.turn or "" for known in view.known()}
            asked = tuple(
                Question(text=each.text, gold=gold)
                for each in transcript.gold.questions
                if each.at == at and (gold := frozenset(_evidence(each.rests_on, origin, is_over_items=is_over_items)))
            )
            if is_over_items:
                documents = documents_of(view, turns=turns, agents=transcript.agents)
                yield Material(documents=tuple(documents), questions=asked, neighbours=neighbours_of(state))
            else:
                documents = documents_of_turns(turns, agents=transcript.agents)
                yield Material(documents=tuple(documents), questions=asked)


def _evidence(rests_on: Iterable[Any], origin: dict[Any, str], *, is_over_items: bool) -> Iterator[str]:
    for literal in rests_on:
        found = literal.proposition if is_over_items else origin.get(literal.proposition, "")
        if found:
            yield found


# --- meetings, memories, long friendships --------------------------------------------------------------------------


def _iso(written: str) -> str:
    found = re.match(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d:\d\d)", written)
    return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}" if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """An item whose fact changed: the question, the turns of the earlier and of the later session."""

    question: str
    when: str
    older: frozenset[str]
    newer: frozenset[str]


def updates(file: Path) -> tuple[tuple[Document, ...], tuple[Update, ...]]:
    """Give all evidence turns by date, and the items that have an earlier and a later session."""
    documents: list[Document] = []
    items: list[Update] = []
    for line in file.read_text("utf-8").splitlines():
        item = json.loads(line)
        sessions = sorted(item["evidence_sessions"], key=lambda each: _iso(each["date"]))
        ids: list[frozenset[str]] = []
        for number, session in enumerate(sessions):
            name = f"{item['question_id']}-{number}"
            turns = [
                Document(id=f"{name}-{place}", text=turn["content"], speaker="", at=_iso(session["date"]), session=name)
                for place, turn in enumerate(session["turns"])
            ]
            documents.extend(turns)
            ids.append(frozenset(turn.id for turn in turns))
        share = item["auto_answer_token_recall_per_session"]
        if len(ids) == 2 and share[1] > share[0]:
            asked = _iso(item["question_date"])
            items.append(Update(question=item["question"], when=asked, older=ids[0], newer=ids[1]))
    return tuple(sorted(documents, key=lambda each: each.at)), tuple(items)


def updated(file: Path, arms: dict[str, Finder]) -> list[dict[str, Any]]:
    """Say for each arm how often the current turn comes first, and how often a superseded one comes before it."""
    documents, items = updates(file)
    material = Material(
        documents=documents,
        questions=tuple(Question(text=each.question, gold=each.newer, when=each.when) for each in items),
    )
    rows: list[dict[str, Any]] = []
    for arm, make in arms.items():
        first, in_5, stale = 0, 0, 0
        for (found, _), item in zip(ranked(make, material), items, strict=True):
            places = {id: place for place, id in enumerate(found)}
            newer = min((places.get(id, len(found)) for id in item.newer), default=len(found))
            older = min((places.get(id, len(found)) for id in item.older), default=len(found))
            first += newer == 0
            in_5 += newer < 5
            stale += older < newer
        n = len(items)
        rows.append(
            {
                "arm": arm,
                "n": n,
                "current at 1": round(first / n, 3),
                "current at 5": round(in_5 / n, 3),
                "stale first": round(stale / n, 3),
            }
        )
    return rows


def friendships(file: Path, category: Callable[[int], bool], names: Callable[[str], bool], most: int) -> list[Material]:
    """Give the turns of conversations with the questions of some categories, the first ``most`` of each."""
    made: list[Material] = []
    for sample in json.loads(file.read_text("utf-8")):
        if not names(sample["sample_id"]):
            continue
        talk = sample["conversation"]
        documents: list[Document] = []
        for number in range(1, 1 + sum(key.endswith("_date_time") for key in talk)):
            day = _spoken_date(talk.get(f"session_{number}_date_time", ""))
            for turn in talk.get(f"session_{number}", ()):
                text = turn["text"] + (f" [{turn['blip_caption']}]" if turn.get("blip_caption") else "")
                documents.append(
                    Document(id=turn["dia_id"], text=text, speaker=turn["speaker"], at=day, session=str(number))
                )
        known = {document.id for document in documents}
        asked = tuple(
            Question(text=each["question"], gold=gold)
            for each in sample["qa"][:most]
            if category(each["category"])
            and (gold := frozenset(known).intersection(re.findall(r"D\d+:\d+", " ".join(each.get("evidence", ())))))
        )
        made.append(Material(documents=tuple(documents), questions=asked))
    return made


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _spoken_date(written: str) -> str:
    found = re.search(r"(\d{1,2}) (\w+),? (\d{4})", written)
    month = found[2][:3].casefold() if found is not None else ""
    if found is None or month not in _MONTHS:
        return ""
    return f"{found[3]}-{_MONTHS.index(month) + 1:02}-{int(found[1]):02}"


def locomo_rows(file: Path, arms: dict[str, Finder], *, is_whole: bool) -> list[Row]:
    """Give recall on the 60 items of the protocol, and by category without what settings were chosen on."""
    every, all_of_it = 10**6, {"recall": recall}
    sets: dict[str, tuple[Callable[[int], bool], Callable[[str], bool], int]] = {
        "locomo, first 20 of 26, 30, 41": (lambda _: True, lambda name: name in PROTOCOL_60, 20),
        "locomo, multi-hop of these": (lambda kind: kind == MULTI_HOP, lambda name: name in PROTOCOL_60, 20),
    }
    if is_whole:
        sets |= {
            "locomo, categories 1-4": (lambda kind: kind < ADVERSARIAL, lambda name: name not in CHOSEN_ON, every),
            "locomo, multi-hop": (lambda kind: kind == MULTI_HOP, lambda name: name not in CHOSEN_ON, every),
            "locomo, adversarial": (lambda kind: kind == ADVERSARIAL, lambda name: name not in CHOSEN_ON, every),
        }
    return [
        row
        for name, (category, names, most) in sets.items()
        for row in rows_of(name, friendships(file, category, names, most), arms, all_of_it)
    ]


# --- the program ---------------------------------------------------------------------------------------------------


def switches() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parent.parent.parent / "shared"
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("UPHELD_SHARED", beside)))
    parser.add_argument("--suite", default="dev,long,qmsum,longmemeval,locomo", help="which, with commas between")
    parser.add_argument("--qmsum", type=Path, help="default: data/qmsum/product_test.jsonl of the shared folder")
    parser.add_argument("--locomo", type=Path, help="locomo10.json; left out without")
    parser.add_argument("--whole", action="store_true", help="all of LoCoMo, beside its 60 items: some ten minutes")
    parser.add_argument("--threads", type=int, default=1, help="of the embedder")
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of tables")
    return parser.parse_args()


def main() -> None:
    """Print what was asked for."""
    chosen = switches()
    try:
        embedder = local_embedder(threads=chosen.threads, remembered=REMEMBERED)
    except MissingExtra as error:
        print(f"without vectors: {error}")
        embedder = None
    arms = finders(embedder)
    suites = chosen.suite.split(",")
    rows: list[Row] = []
    start = time.perf_counter()
    for part in ("dev", "long"):
        folder = chosen.shared / "corpus" / part
        if part in suites and folder.is_dir():
            for what in ("items", "turns"):
                materials = list(annotated(sorted(folder.glob("*.yaml")), is_over_items=what == "items"))
                rows += rows_of(f"{part} questions, {what}", materials, arms, {"recall": recall})
    qmsum = chosen.qmsum or chosen.shared / "data" / "qmsum" / "product_test.jsonl"
    if "qmsum" in suites and qmsum.is_file():
        rows += rows_of(f"qmsum {qmsum.stem}", meetings(qmsum), arms, {"hit": hit, "span": recall})
    if "locomo" in suites and chosen.locomo is not None:
        rows += locomo_rows(chosen.locomo, arms, is_whole=chosen.whole)
    memory = chosen.shared / "data" / "longmemeval_ku" / "lme_ku_78_evidence_turns.jsonl"
    memories = updated(memory, arms) if "longmemeval" in suites and memory.is_file() else []
    shown(rows, memories, is_json=chosen.json, name=embedder.name if embedder else "none", start=start)


def shown(rows: list[Row], memories: list[dict[str, Any]], *, is_json: bool, name: str, start: float) -> None:
    """Print the figures."""
    seconds = round(time.perf_counter() - start, 1)
    if is_json:
        print(json.dumps({"embedder": name, "seconds": seconds, "rows": list(map(asdict, rows)), "ku": memories}))
        return
    print(f"embedder {name}; {seconds} s")
    heads = ("data", "measure", "arm", "n", *(f"@{depth}" for depth in DEPTHS), "gain @5", "95 %")
    table(
        "Evidence found",
        heads,
        [
            (
                row.data,
                row.measure,
                row.arm,
                row.n,
                *(f"{row.at[depth]:.3f}" for depth in DEPTHS),
                f"{row.gain_at_5:+.3f}",
                f"{row.low:+.3f} to {row.high:+.3f}",
            )
            for row in rows
        ],
    )
    if memories:
        table(
            "LongMemEval-KU, evidence turns of all items",
            tuple(memories[0]),
            [tuple(each.values()) for each in memories],
        )


if __name__ == "__main__":
    main()
