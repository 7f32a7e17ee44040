"""LoCoMo: evidence found, and answers scored as the benchmark's own evaluation does.

Source: Maharana et al., Evaluating very long-term conversational memory of LLM agents (ACL 2024), and its repository's
``task_eval/evaluation.py``, whose definitions are followed and whose code is not copied. The data (``locomo10.json``)
is read from a path and is not part of this package.

The sixty items are the first twenty questions of conv-26, conv-30 and conv-41, in the file's order; their categories
(1: 23, 2: 30, 3: 5, 4: 2) are those of the paper's Table 10.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from upheld.errors import MalformedInput, UpheldError
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.request import Request
from upheld_evals.external.bm25 import Bm25
from upheld_evals.external.porter import stem
from upheld_evals.external.reading import record_arms
from upheld_evals.harness.prompting import messages
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.suites.tables import averaged

CONVERSATIONS, QUESTIONS = ("conv-26", "conv-30", "conv-41"), 20
CUTOFFS = (5, 10, 20, 50)
NOTHING = "No information available"
PROMPT = "locomo-answer@1"

_ARTICLES = re.compile(r"\b(a|an|the|and)\b")
_EVIDENCE = re.compile(r"D\d+:\d+")
_SESSION = re.compile(r"session_(\d+)")
_PUNCTUATION = frozenset(string.punctuation)


def normalised(text: str) -> str:
    """Give a text in lower case without commas, ASCII punctuation, articles and ``and``, its blanks made single."""
    bare = "".join(each for each in text.replace(",", "").lower() if each not in _PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def token_f1(prediction: str, answer: str) -> float:
    """Give F1 over stemmed tokens as multisets; 0 when they share none."""
    found = Counter(map(stem, normalised(prediction).split()))
    expected = Counter(map(stem, normalised(answer).split()))
    both = (found & expected).total()
    return 2 * both / (found.total() + expected.total()) if both else 0.0


def several_f1(prediction: str, answer: str) -> float:
    """Give the mean over the answer's parts of the best F1 among the prediction's; commas part both."""
    given = [part.strip() for part in prediction.split(",")]
    wanted = [part.strip() for part in answer.split(",")]
    return sum(max(token_f1(each, part) for each in given) for part in wanted) / len(wanted)


def answer_score(prediction: str, answer: str, category: int) -> float:
    """Score an answer by its category: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial.

    Raises:
        ValueError: no such category.
    """
    match category:
        case 1:
            return several_f1(prediction, answer)
        case 2 | 4:
            return token_f1(prediction, answer)
        case 3:
            return token_f1(prediction, answer.split(";")[0].strip())
        case 5:
            said = prediction.lower()
            return float("no information available" in said or "not mentioned" in said)
        case _:
            raise ValueError(f"LoCoMo has no category {category}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One turn: its id (``D1:3``), the date of its session, and the words with the caption of a shared picture."""

    id: str
    at: str
    speaker: str
    text: str

    def line(self) -> str:
        """Give it as one line of a prompt."""
        return f"{self.id} [{self.at}] {self.speaker}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with its conversation."""

    question: str
    answer: str
    category: int
    evidence: tuple[str, ...]
    turns: tuple[Spoken, ...]

    @property
    def transcript(self) -> Transcript:
        """The conversation, as an interpreter reads it. Cost: its length."""
        speakers = dict.fromkeys(turn.speaker for turn in self.turns)
        return Transcript(
            id="locomo",
            turns=tuple(
                Turn(id=TurnId(turn.id), speaker=AgentId(turn.speaker), text=turn.text, at=_iso(turn.at))
                for turn in self.turns
            ),
            agents=tuple(Agent(id=AgentId(speaker)) for speaker in speakers),
        )


def read_locomo(path: Path, *, conversations: Sequence[str] = CONVERSATIONS, first: int = QUESTIONS) -> list[Item]:
    """Read the first questions of some conversations.

    Malformed evidence ("D8:6; D9:17") is split into its turns.

    Raises:
        MalformedInput: no file of LoCoMo, or one without these conversations.
    """
    try:
        samples = {str(each["sample_id"]): each for each in json.loads(path.read_text("utf-8"))}
        missing = [each for each in conversations if each not in samples]
        if missing:
            raise MalformedInput(f"has no conversation {', '.join(missing)}", source=str(path))
        return [item for name in conversations for item in _items(name, samples[name], first)]
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedInput(f"no file of LoCoMo: {error}", source=str(path)) from error


def _items(name: str, sample: Mapping[str, Any], first: int) -> Iterator[Item]:
    turns = tuple(_turns(sample["conversation"]))
    for number, entry in enumerate(sample["qa"][:first]):
        asked = Asked(
            question=entry["question"],
            answer=str(entry.get("answer", entry.get("adversarial_answer", ""))),
            category=int(entry["category"]),
            evidence=tuple(_EVIDENCE.findall(" ".join(map(str, entry.get("evidence", ()))))),
            turns=turns,
        )
        yield Item(
            id=f"{name}/{number}",
            conversation=name,
            label=asked.answer,
            facets={"category": str(asked.category)},
            content=asked,
        )


def _iso(at: str) -> str:
    """Give "1:56 pm on 8 May, 2023" in ISO 8601, and what is no such date as it is."""
    try:
        return datetime.strptime(at, "%I:%M %p on %d %B, %Y").isoformat(timespec="minutes")
    except ValueError:
        return at


def _turns(conversation: Mapping[str, Any]) -> Iterator[Spoken]:
    numbers = sorted(int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        at = str(conversation.get(f"session_{number}_date_time", ""))
        for turn in cast("list[dict[str, Any]]", conversation[f"session_{number}"]):
            caption = turn.get("blip_caption", "")
            text = f"{turn['text']} (shares a picture: {caption})" if caption else str(turn["text"])
            yield Spoken(id=turn["dia_id"], at=at, speaker=turn["speaker"], text=text)


def found_turns(asked: Asked, limit: int) -> list[str]:
    """Give the ids of the turns that BM25 finds for a question, best first."""
    index = Bm25([(turn.id, turn.text) for turn in asked.turns])
    return [id for id, _ in index.search(asked.question, limit)]


def recall(evidence: Sequence[str], found: Sequence[str]) -> float:
    """Give the share of the evidence that was found."""
    return len(set(evidence) & set(found)) / len(set(evidence))


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingArm:
    """Always answers that there is no information."""

    name: str = "always: no information available"
    identity: str = "nothing@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read."""
        return lambda _: Answer(value={"answer": NOTHING})


@dataclass(frozen=True, slots=True, kw_only=True)
class BestTurnArm:
    """Answers with the words of the turn that BM25 finds first."""

    name: str = "best turn (bm25)"
    identity: str = "best turn@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to prepare."""

        def answered(item: Item) -> Answer:
            found = found_turns(item.content, max(CUTOFFS))
            texts = {turn.id: turn.text for turn in item.content.turns}
            answer = texts[found[0]] if found else NOTHING
            return Answer(value={"answer": answer, "found": found, "searched": max(CUTOFFS)})

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingArm:
    """A language model that reads the turns found for the question (``k``), or with ``k=0`` all of them."""

    k: int
    asks_llm: bool = True

    @property
    def name(self) -> str:
        """How much it reads."""
        return f"transcript-RAG (k={self.k}, bm25)" if self.k else "LLM-only"

    @property
    def identity(self) -> str:
        """The prompt and k."""
        return f"reading {PROMPT} {self.k}"

    def requests(self, item: Item, /) -> tuple[Request, ...]:
        """Give the one request about a question."""
        asked: Asked = item.content
        chosen = set(found_turns(asked, self.k)) if self.k else {turn.id for turn in asked.turns}
        lines = "\n".join(turn.line() for turn in asked.turns if turn.id in chosen)
        return (
            Request(
                prompt=f"evals/{PROMPT}", messages=messages(PROMPT, turns=lines, question=asked.question), limit=128
            ),
        )

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to prepare."""
        if llm is None:
            raise UpheldError("this arm asks a language model")

        def answered(item: Item) -> Answer:
            (request,) = self.requests(item)
            reply = llm.ask(request)
            found = found_turns(item.content, self.k) if self.k else None
            answer = reply.text.strip()
            return Answer(value={"answer": answer, "found": found, "searched": self.k})

        return answered


def locomo_suite(path: Path, *, interpreters: Sequence[str] = (), name: str = "locomo") -> Suite:
    """Give the sixty items; ``interpreters`` add the pages of the engine's state that they lead to (Table 4)."""
    items = tuple(read_locomo(path))
    baseline = BestTurnArm()
    readers: list[Arm] = [ReadingArm(k=0), ReadingArm(k=5), ReadingArm(k=20), *record_arms(interpreters)]
    return Suite(
        name=name,
        version="1",
        purpose="Questions over long two-person histories, by the benchmark's own token F1.",
        data=f"{path.name}: {len(items)} questions, first {QUESTIONS} of {', '.join(CONVERSATIONS)}",
        digest=digest_of([path]),
        items=items,
        arms=(NothingArm(), baseline, *readers),
        baseline=baseline.name,
        score=lambda item, answer: answer_score(answer.value["answer"], item.label, item.content.category),
        measures=locomo_measures,
        is_paired=False,
        printed=(
            Printed(source="the paper, Table 4, LLM-only, GPT-4o", name="F1", value="0.255", n="60"),
            Printed(source="the paper, Table 4, verifier, dependency map, GPT-4o", name="F1", value="0.153", n="60"),
            Printed(source="the paper, Table 4, verifier, content, GPT-4o", name="F1", value="0.427", n="60"),
            Printed(source="the paper, Table 4, transcript-RAG k=20, GPT-4o", name="F1", value="0.446", n="60"),
            Printed(
                source="the paper, Table 4, verifier, content + retrieval, GPT-4o", name="F1", value="0.440", n="60"
            ),
            Printed(source="the protocol's BM25", name="evidence recall@20", value="0.557", n="60"),
        ),
        notes=(
            "A page of the engine's state stands alone; the paper puts what is left of the transcript beside it.",
            "The stemmer is NLTK's default Porter, written from its definition.",
        ),
    )


def locomo_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give F1 overall and by category, and evidence recall for arms that search."""
    measures = [averaged("F1", scored, lambda each: each[1].score, seed=seed)]
    for category in sorted({item.facets["category"] for item, _ in scored}):
        chosen = [each for each in scored if each[0].facets["category"] == category]
        measures.append(Measure(name="F1", value=_mean_score(chosen), n=len(chosen), group=f"category {category}"))
    searched = [
        (item.content.evidence, outcome.value["found"], outcome.value["searched"])
        for item, outcome in scored
        if item.content.evidence and outcome.value and outcome.value.get("found") is not None
    ]
    for cutoff in CUTOFFS:
        values = [recall(evidence, found[:cutoff]) for evidence, found, depth in searched if cutoff <= depth]
        if values:
            measures.append(Measure(name=f"evidence recall@{cutoff}", value=sum(values) / len(values), n=len(values)))
    return measures


def _mean_score(scored: Sequence[Scored]) -> float | None:
    return sum(outcome.score for _, outcome in scored) / len(scored) if scored else None
