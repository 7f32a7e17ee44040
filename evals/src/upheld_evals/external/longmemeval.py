"""LongMemEval-KU: is the current value found first, and the old one marked as replaced?

Source: Wu et al., LongMemEval (ICLR 2025), its 78 knowledge-update items, as evidence turns alone: 70 with an earlier
and a later session, 2 with one, 6 whose question nobody answered. The data is read from a path and is not part of this
package; which value each question asks for is our own reading, labelled by a language model (``hand_labels.json``).

Two settings: *evidence*, an item's own sessions, and *haystack*, the sessions of all items, and any more that are
given, in one conversation by date. The paper's figures are of whole sessions, which are not here: ours stand apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from upheld.conversation.asking.view import StateView
from upheld.errors import MalformedInput
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.standing import Lifecycle
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.retrieval.fusion import later_first
from upheld_evals.external.bm25 import Bm25
from upheld_evals.external.hand import LONGMEMEVAL, hand_labels, labelled_by
from upheld_evals.harness.sources import digest_of, source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.harness.telling import is_asking, told
from upheld_evals.suites.tables import costs, share

CURRENT, EARLIER, OTHER = "current", "earlier", "other"
UPDATE, SINGLE, ABSTENTION = "update", "one session", "abstention"
HAYSTACK, EVIDENCE = "haystack", "evidence"
LISTED = 20
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d:\d\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One dated session of one item (or of none: a distractor); ``place`` counts the item's sessions from 0."""

    owner: str
    place: int
    at: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Haystack:
    """Sessions as one conversation by date; ``origins`` tells where each turn came from."""

    transcript: Transcript
    origins: Mapping[TurnId, Session]

    @classmethod
    def of(cls, sessions: Iterable[Session]) -> Haystack:
        """Put sessions into one conversation, by date; what has the same date keeps its order."""
        turns: list[Turn] = []
        origins: dict[TurnId, Session] = {}
        for session in sorted(sessions, key=lambda each: each.at):
            for text in session.texts:
                id = TurnId(f"T{len(turns) + 1}")
                turns.append(Turn(id=id, speaker=AgentId("user"), text=text, at=session.at))
                origins[id] = session
        agents = (Agent(id=AgentId("user")),)
        return cls(transcript=Transcript(id="haystack", turns=tuple(turns), agents=agents), origins=origins)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, which of the item's values it asks for, and the conversation that it is asked of."""

    owner: str
    question: str
    wanted: str
    haystack: Haystack

    @property
    def transcript(self) -> Transcript:
        """The conversation, by date."""
        return self.haystack.transcript

    def origin(self, turn: str) -> str:
        """Tell whether a turn has this item's current value, its earlier one, or neither."""
        session = self.haystack.origins[TurnId(turn)]
        if session.owner != self.owner:
            return OTHER
        last = max(each.place for each in self.haystack.origins.values() if each.owner == self.owner)
        return CURRENT if session.place == last else EARLIER


def read_wanted() -> Mapping[str, str]:
    """Give which value each labelled question asks for."""
    return hand_labels(LONGMEMEVAL)


def read_items(path: Path, *, distractors: Sequence[Path] = ()) -> tuple[Item, ...]:
    """Read the items in both settings.

    Raises:
        MalformedInput: a line that is no item.
    """
    trees = [tree for _, tree in _lines(path)]
    own = {str(tree["question_id"]): _sessions(tree) for tree in trees}
    further = [session for each in distractors for session in _distractors(each)]
    everything = Haystack.of([*(session for sessions in own.values() for session in sessions), *further])
    wanted = read_wanted()
    items: list[Item] = []
    for setting in (EVIDENCE, HAYSTACK):
        for tree in trees:
            id = str(tree["question_id"])
            owner = id.removesuffix("_abs")
            haystack = everything if setting == HAYSTACK else Haystack.of(own.get(owner, ()))
            asked = Asked(
                owner=owner,
                question=tree["question"],
                wanted=wanted.get(id, CURRENT),
                haystack=haystack,
            )
            items.append(
                Item(
                    id=f"{setting}/{id}",
                    conversation=HAYSTACK if setting == HAYSTACK else id,
                    label=tree["answer"],
                    facets={"setting": setting, "kind": _kind(tree, own[id])},
                    content=asked,
                )
            )
    return tuple(items)


def _kind(tree: Mapping[str, Any], sessions: Sequence[Session]) -> str:
    if tree["abstention"]:
        return ABSTENTION
    return UPDATE if len(sessions) > 1 else SINGLE


def _lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    found: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            tree = cast("dict[str, Any]", json.loads(line))
            _ = (tree["question_id"], tree["question"], tree["answer"], tree["abstention"], tree["evidence_sessions"])
        except (KeyError, TypeError, ValueError) as error:
            raise MalformedInput("no item of LongMemEval", source=str(path), line=number) from error
        found.append((number, tree))
    return found


def _sessions(tree: Mapping[str, Any]) -> list[Session]:
    return [
        Session(
            owner=str(tree["question_id"]),
            place=place,
            at=_iso(session["date"]),
            texts=tuple(turn["content"] for turn in session["turns"] if turn["role"] == "user"),
        )
        for place, session in enumerate(tree["evidence_sessions"])
    ]


def _distractors(path: Path) -> Iterable[Session]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        try:
            tree: dict[str, Any] = json.loads(line)
            date = str(tree.get("date", ""))
            texts = tuple(str(turn["content"]) for turn in tree["turns"] if turn["role"] == "user")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise MalformedInput("no session", source=str(path), line=number) from error
        yield Session(owner="", place=0, at=_iso(date), texts=texts)


def _iso(date: str) -> str:
    found = _DATE.match(date)
    return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}" if found else date


LATER = ", later first"
"""Ends the name of an arm that puts the latest of what is nearly the best first."""


def _ordered(found: Sequence[tuple[str, float]], moments: Mapping[str, int], *, is_later_first: bool) -> list[str]:
    """Give ids best first, or with the latest of the nearly best first."""
    if not is_later_first:
        return [id for id, _ in found]
    scores = {place: score for place, (_, score) in enumerate(found)}
    places = later_first(scores, {place: moments[id] for place, (id, _) in enumerate(found)})
    return [found[place][0] for place in places]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsArm:
    """BM25 over the user's turns: knows no replacement, so it marks nothing."""

    is_later_first: bool = False
    asks_llm: bool = False

    @property
    def name(self) -> str:
        """In which order."""
        return f"turns (bm25){LATER if self.is_later_first else ''}"

    @property
    def identity(self) -> str:
        """The name with a version, and the source where that orders."""
        return f"{self.name}@1 {source_digest() if self.is_later_first else ''}".strip()

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Index the conversation."""
        haystack: Haystack = items[0].content.haystack
        index = Bm25([(turn.id, turn.text) for turn in haystack.transcript.turns])
        moments: dict[str, int] = {turn.id: place for place, turn in enumerate(haystack.transcript.turns)}

        def answered(item: Item) -> Answer:
            found = index.search(item.content.question, LISTED)
            ordered = _ordered(found, moments, is_later_first=self.is_later_first)
            return Answer(value={"hits": [[turn, False] for turn in ordered]})

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineItemsArm:
    """BM25 over the propositions that an interpreter read: what stands first, then what was replaced, marked."""

    interpreter: str = "cues"
    is_later_first: bool = False

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does."""
        return is_asking(self.interpreter)

    @property
    def name(self) -> str:
        """Whose propositions, and in which order."""
        return f"upheld items, {self.interpreter} interpreter (bm25){LATER if self.is_later_first else ''}"

    @property
    def identity(self) -> str:
        """The interpreter, the order and the source."""
        return f"engine items {self.interpreter}{LATER if self.is_later_first else ''} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Read the conversation and index what it put forward."""
        haystack: Haystack = items[0].content.haystack
        view = StateView(told(haystack.transcript, self.interpreter, llm).state)
        known = [each for each in view.known() if each.turn is not None]
        turn_of: dict[str, str] = {each.proposition.id: str(each.turn) for each in known}
        moments: dict[str, int] = {each.proposition.id: place for place, each in enumerate(known)}
        replaced: dict[str, str] = {}
        for each in known:
            newer = view.replacement_of(each.proposition.id)
            if each.lifecycle is Lifecycle.SUPERSEDED and newer is not None and newer in turn_of:
                replaced[each.proposition.id] = newer
        index = Bm25([(each.proposition.id, each.proposition.text) for each in known])
        given_up = {each.proposition.id for each in known if each.lifecycle in _GONE}
        pairs = [[turn_of[older], turn_of[newer]] for older, newer in replaced.items()]

        def answered(item: Item) -> Answer:
            found = index.search(item.content.question, LISTED)
            ranked = _ordered(found, moments, is_later_first=self.is_later_first)
            ordered = sorted(ranked, key=lambda id: id in given_up)
            hits = [[turn_of[id], id in given_up] for id in ordered]
            return Answer(value={"hits": hits, "replaced": pairs, "facts": len(known)})

        return answered


_GONE = frozenset({Lifecycle.SUPERSEDED, Lifecycle.RETRACTED, Lifecycle.ABANDONED})


def longmemeval_suite(
    path: Path, *, distractors: Sequence[Path] = (), interpreters: Sequence[str] = ("cues",)
) -> Suite:
    """Give the suite in both settings."""
    items = read_items(path, distractors=distractors)
    baseline = TurnsArm()
    arms: list[Arm] = [
        EngineItemsArm(interpreter=each, is_later_first=is_later) for each in interpreters for is_later in (False, True)
    ]
    return Suite(
        name="longmemeval",
        version="1",
        purpose="Whether the current value is found first, and the earlier one is marked as replaced.",
        data=f"{path.name}: {len(items) // 2} items; haystack of {_turns_in(items[-1])} turns",
        digest=digest_of([path, *distractors]),
        items=items,
        arms=(*arms, TurnsArm(is_later_first=True), baseline),
        baseline=baseline.name,
        score=_is_current_first,
        measures=update_measures,
        printed=(
            Printed(source="the protocol's BM25, other haystack", name="current turn at 1", value="0.500", n="70"),
            Printed(source="the protocol's BM25, other haystack", name="stale above current", value="0.457", n="70"),
        ),
        notes=(
            "The protocol's haystack has 114 further sessions that are not here; its figures are a bar to read beside"
            " ours, not the same measurement.",
            "The paper's 87.2 to 89.7 % are answers of GPT-4o over whole sessions, and are no figures of this.",
            "Arms that only find do not answer: abstaining means to find nothing.",
            f"Wanted value, and where it is asked for, go by {len(read_wanted())} labels; 'all updates' uses none."
            f" {labelled_by()}",
        ),
    )


def _turns_in(item: Item) -> int:
    return len(item.content.haystack.transcript.turns)


def _is_current_first(item: Item, answer: Answer) -> float:
    """Right: the first hit has the value that is asked for; for unanswerable questions, no hit at all."""
    hits = answer.value["hits"]
    if item.facets["kind"] == ABSTENTION:
        return float(not hits)
    if not hits:
        return 0.0
    origin = item.content.origin(hits[0][0])
    return float(origin in {CURRENT, EARLIER} if item.content.wanted == "both" else origin == item.content.wanted)


def update_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the protocol's numbers, each setting apart."""
    measures: list[Measure] = []
    for setting in (EVIDENCE, HAYSTACK):
        chosen = [each for each in scored if each[0].facets["setting"] == setting and each[1].value is not None]
        updates = [each for each in chosen if each[0].facets["kind"] == UPDATE]
        asking_now = [each for each in updates if each[0].content.wanted == CURRENT]
        measures += [
            share("current at 1, all updates", (_first(each) == CURRENT for each in updates), group=setting),
            share(
                "current at 1, where it is asked for", (_first(each) == CURRENT for each in asking_now), group=setting
            ),
            share("wanted value at 1, all updates", (outcome.score == 1 for _, outcome in updates), group=setting),
            share("stale above current, all updates", map(_has_stale_above, updates), group=setting),
            share("stale above current, where asked for", map(_has_stale_above, asking_now), group=setting),
            share("stale unmarked or above", map(_has_stale_unmarked, asking_now), group=setting),
            share("superseded recall", map(_knows_replacement, updates), group=setting),
            share(
                "abstained on the unanswerable",
                (not outcome.value["hits"] for item, outcome in chosen if item.facets["kind"] == ABSTENTION),
                group=setting,
            ),
        ]
        measures += _false_supersession(chosen, setting)
    return [*measures, *costs(scored)]


def _origins(each: Scored) -> list[tuple[str, bool]]:
    return [(each[0].content.origin(turn), marked) for turn, marked in each[1].value["hits"]]


def _first(each: Scored) -> str:
    return next((origin for origin, _ in _origins(each)), "")


def _has_stale_above(each: Scored) -> bool:
    """Tell whether an earlier value comes before every current one, unmarked."""
    for origin, marked in _origins(each):
        if origin == CURRENT:
            return False
        if origin == EARLIER and not marked:
            return True
    return False


def _has_stale_unmarked(each: Scored) -> bool:
    return _has_stale_above(each) or any(origin == EARLIER and not marked for origin, marked in _origins(each))


def _knows_replacement(each: Scored) -> bool:
    origin = each[0].content.origin
    pairs = each[1].value.get("replaced", ())
    return any(origin(older) == EARLIER and origin(newer) == CURRENT for older, newer in pairs)


def _false_supersession(scored: Sequence[Scored], setting: str) -> list[Measure]:
    """Count replacements across items, each conversation once, per 100 facts."""
    seen: dict[str, Scored] = {}
    for each in scored:
        if each[1].value.get("facts"):
            seen.setdefault(each[0].conversation, each)
    if not seen:
        return []
    facts = sum(outcome.value["facts"] for _, outcome in seen.values())
    wrong = 0
    for item, outcome in seen.values():
        origins = item.content.haystack.origins
        for older, newer in outcome.value["replaced"]:
            one, other = origins[TurnId(older)], origins[TurnId(newer)]
            wrong += one.owner != other.owner or one.place >= other.place
    return [Measure(name="false supersessions per 100 facts", value=100 * wrong / facts, n=facts, group=setting)]
