"""Table 2 (E1): what each hypothesis of Phase 2 rests on, asked of a language model without the engine, and with it.

Without: the whole transcript and the list of hypotheses and observations in one request, asked in four ways. With: what
an interpreter read, its propositions matched with the labelled ones by their words. The labels are the paper's
tuples, at creation and after the last turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from upheld.errors import NoRecording, UnusableReply, UpheldError
from upheld.logic.language.operations import Hypothesize, Observe
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.request import Request, Shape
from upheld.speech.models.structured import ask_for
from upheld_evals.harness.corpus import Corpus, LabelledFile, only
from upheld_evals.harness.prompting import messages, transcript_text
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.paper.decisions import PHASE2
from upheld_evals.statistics import by_group
from upheld_evals.suites.dependencies import END, dependencies_suite, ground_measures
from upheld_evals.suites.retraction import target_of
from upheld_evals.suites.tables import share

Grounds = Mapping[str, tuple[str, ...]]
"""Ids of what each hypothesis rests on."""


class Way(StrEnum):
    """How a language model is asked, without the engine."""

    ZERO_SHOT = "zero-shot"
    FEW_SHOT = "few-shot"
    CHAIN_OF_THOUGHT = "chain-of-thought"
    SELF_CONSISTENCY = "self-consistency"


TABLE2 = (
    (Way.ZERO_SHOT.value, "0.27 / 0.46 / 0.31"),
    (Way.FEW_SHOT.value, "0.26 / 0.54 / 0.34"),
    (Way.CHAIN_OF_THOUGHT.value, "0.23 / 0.46 / 0.29"),
    (Way.SELF_CONSISTENCY.value, "0.22 / 0.46 / 0.28"),
    ("pipeline", "1.00 / 0.43 / 0.60"),
)

SAMPLES, WARM, LIMIT = 5, 0.7, 4_096
"""Replies that are voted on, their temperature (the paper, Appendix I), and the most tokens of one."""


def hypotheses_of(transcript: Transcript) -> tuple[str, ...]:
    """Give the ids of the hypotheses of a transcript, in order."""
    operations = (operation for turn in transcript.turns for operation in turn.operations)
    return tuple(dict.fromkeys(each.id for each in operations if isinstance(each, Hypothesize)))


def listing_of(transcript: Transcript) -> str:
    """Give what was put forward as lines: id, hypothesis or observation, and the words."""
    return "\n".join(
        f"{each.id} ({'hypothesis' if isinstance(each, Hypothesize) else 'observation'}): {each.text}"
        for turn in transcript.turns
        for each in turn.operations
        if isinstance(each, Observe | Hypothesize)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectGroundsArm:
    """A language model that reads everything and says what rests on what; the last way votes on thought-out replies.

    It is asked once a conversation and gives the same grounds at creation and at the end: it sees the end.
    """

    way: Way
    asks_llm: bool = True

    @property
    def name(self) -> str:
        """The way of asking."""
        return f"direct, {self.way}-{SAMPLES}" if self.way is Way.SELF_CONSISTENCY else f"direct, {self.way}"

    @property
    def identity(self) -> str:
        """The prompt, and how many replies are voted on."""
        return f"direct grounds {self._prompt} {SAMPLES if self.way is Way.SELF_CONSISTENCY else 1}"

    @property
    def _prompt(self) -> str:
        is_voted = self.way is Way.SELF_CONSISTENCY
        return f"dependencies-direct-{Way.CHAIN_OF_THOUGHT if is_voted else self.way}@1"

    def requests_about(self, transcript: Transcript) -> tuple[Request, ...]:
        """Give what is asked about a conversation: one request, or as many as are voted on."""
        quoted = messages(
            self._prompt, transcript=transcript_text(transcript.turns), propositions=listing_of(transcript)
        )
        is_reasoned = self.way in (Way.CHAIN_OF_THOUGHT, Way.SELF_CONSISTENCY)
        request = Request(
            prompt=f"evals/{self._prompt}", messages=quoted, shape=_shape(is_reasoned=is_reasoned), limit=LIMIT
        )
        if self.way is not Way.SELF_CONSISTENCY:
            return (request,)
        return tuple(replace(request, temperature=WARM, sample=sample) for sample in range(SAMPLES))

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing is asked before the first item is."""
        if llm is None:
            raise UpheldError("this arm asks a language model")
        file: LabelledFile = items[0].content.file
        asked: list[Grounds] = []

        def answered(item: Item) -> Answer:
            if not asked:
                asked.append(self._grounds(file.transcript, llm))
            return Answer(value=list(asked[0].get(item.content.id, ())))

        return answered

    def _grounds(self, transcript: Transcript, llm: LanguageModel) -> Grounds:
        requests = self.requests_about(transcript)
        replies: list[Grounds] = []
        failures: list[UpheldError] = []
        for request in requests:
            try:
                replies.append(ask_for(llm, request, lambda tree: read_grounds(tree, transcript)).value)
            except (NoRecording, UnusableReply) as failure:
                # The others are asked all the same, so that one export holds all that are voted on.
                failures.append(failure)
        missing = [each for each in failures if isinstance(each, NoRecording)]
        if missing or 2 * len(replies) <= len(requests):
            raise (missing or failures)[0]
        return elected(replies, of=len(requests))


def read_grounds(tree: object, transcript: Transcript) -> Grounds:
    """Read a reply.

    Raises:
        UnusableReply: no such form, or an id that is not in the list.
    """
    known = {
        str(each.id)
        for turn in transcript.turns
        for each in turn.operations
        if isinstance(each, Observe | Hypothesize)
    }  # fmt: skip
    content = cast("Mapping[str, Any]", tree if isinstance(tree, Mapping) else {})
    entries: Any = content.get("dependencies")
    if not isinstance(entries, list):
        raise UnusableReply("dependencies: a list was asked for", reply=str(content))
    found: dict[str, tuple[str, ...]] = {}
    for place, entry in enumerate(cast("list[Any]", entries)):
        try:
            hypothesis, grounds = str(entry["hypothesis"]), tuple(map(str, entry["depends_on"]))
        except (KeyError, TypeError) as error:
            wanted = f"dependencies[{place}]: an object with hypothesis and depends_on was asked for"
            raise UnusableReply(wanted, reply=str(content)) from error
        strange = [id for id in (hypothesis, *grounds) if id not in known]
        if strange:
            raise UnusableReply(f"dependencies[{place}]: {strange[0]!r} is not in the list", reply=str(content))
        found[hypothesis] = tuple(dict.fromkeys(id for id in grounds if id != hypothesis))
    return found


def elected(replies: Sequence[Grounds], *, of: int) -> Grounds:
    """Give the grounds that more than half of the replies that were asked for name; a failed reply names none."""
    votes = Counter((id, ground) for each in replies for id, grounds in each.items() for ground in grounds)
    kept = by_group(edge for edge, count in votes.items() if 2 * count > of)
    return {str(id): tuple(grounds) for id, grounds in kept.items()}


def _shape(*, is_reasoned: bool) -> Shape:
    entry = _closed({"hypothesis": {"type": "string"}, "depends_on": {"type": "array", "items": {"type": "string"}}})
    listed: dict[str, Any] = {"dependencies": {"type": "array", "items": entry}}
    fields = {"reasoning": {"type": "string"}, **listed} if is_reasoned else listed
    return Shape(name="dependencies", schema=_closed(fields))


def _closed(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def direct_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the rows of Table 2 that extract dependencies: four ways without the engine, and interpreters with it."""
    file = only(corpus, PHASE2)
    whole = dependencies_suite(replace(corpus, name=file.name, files=(file,)), interpreters=interpreters)
    hypotheses = hypotheses_of(file.transcript)
    labelled, *piped, baseline = whole.arms
    direct: list[Arm] = [DirectGroundsArm(way=way) for way in Way]
    return replace(
        whole,
        name="paper e1",
        purpose="What the hypotheses of Phase 2 rest on, with the engine and without (Table 2).",
        items=tuple(item for item in whole.items if item.content.id in hypotheses),
        arms=(labelled, *direct, *piped, baseline),
        measures=extraction_measures,
        printed=tuple(
            Printed(source=f"the paper, Table 2, {name}, GPT-4o", name="precision / recall / F1, end", value=value)
            for name, value in TABLE2
        ),
        notes=(
            "The direct ways see the labelled hypotheses and observations; an interpreter finds its own.",
            "The paper asks about each hypothesis apart and scores turns; here all are asked about at once, by id.",
            *whole.notes,
        ),
    )


def extraction_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give edges at both moments, the two edges between hypotheses, and the retractions that come out right.

    A retraction is right when the hypotheses that rest on what is taken back, over one edge, are just those that the
    paper lists (its column *affected accuracy*).
    """
    end: dict[str, frozenset[str]] = {
        item.content.id: frozenset(outcome.value or ()) for item, outcome in scored if item.content.moment == END
    }
    file = next((item.content.file for item, _ in scored), None)
    queries = file.gold.affected if file is not None and len(end) > 1 else ()
    right = [
        {id for id, grounds in end.items() if target_of(query.change) in grounds} == set(query.paper_affected)
        for query in queries
        if query.paper_affected
    ]
    between = ((id, ground) for id, ground in (("h1", "h4"), ("h4", "h3")) if id in end)
    return [
        *ground_measures(scored, seed),
        *(share("edge recovered", [ground in end[id]], group=f"{id} to {ground}") for id, ground in between),
        share("affected, retractions with just the labelled", right),
    ]
