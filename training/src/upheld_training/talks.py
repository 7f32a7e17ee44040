"""Whole conversations with labelled clauses, told to the engine, so that turns are laid out as the product does it.

What is on the table before a turn, who put it forward, what is near to it: all that comes from the product's own code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Modality, Outcome, Stance
from upheld.logic.reasoning.policy import EVERYONE
from upheld.speech.formats.gold import Gold, VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.trained.showing import Surroundings, shown
from upheld.speech.trained.judge import MODALITIES, STANCES
from upheld.speech.trained.moves import ACTS, OPERATIONS
from upheld_training.texts import CONTRADICTS, DENIES, LINK, NONE, UNKNOWN, Judged, Utterance, rows

DEBATED = frozenset({"deliberative", "negotiation"})
"""Paradigms in which what is put forward is a position and not an explanation."""

ENDING = "#"
"""Stands before the number of a rival ending in the name of a conversation."""

BESIDE = 12
"""Propositions beside a candidate's claim: those it is about, and the nearest others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One conversation: its turns with operations, the clauses of each, and candidates for what might be said next.

    ``group`` is held out or learned as a whole; ``shared`` counts the first turns, which an earlier talk of the group
    has as well.
    """

    id: str
    group: str
    agents: tuple[Agent, ...]
    turns: tuple[Turn, ...]
    clauses: tuple[tuple[Mapping[str, Any], ...], ...]
    candidates: tuple[Mapping[str, Any], ...]
    shared: int = 0


def talks(paths: Iterable[Path]) -> Iterator[Talk]:
    """Give the conversations of files: whole ones, and openings with rival endings, each of which makes one."""
    for path in paths:
        for tree in rows(path):
            group = f"{path.stem}/{tree['id']}"
            if "endings" not in tree:
                yield _talk(tree, group, group)
                continue
            for number, ending in enumerate(tree["endings"], start=1):
                turns = [*tree["opening"], *ending["turns"]]
                candidates = [{**each, "at": len(turns)} for each in ending["candidates"]]
                whole = {**tree, "turns": turns, "candidates": candidates}
                yield _talk(whole, group, f"{group}{ENDING}{number}", shared=len(tree["opening"]) if number > 1 else 0)


def _talk(tree: Mapping[str, Any], group: str, id: str, *, shared: int = 0) -> Talk:
    is_debated = tree["paradigm"] in DEBATED
    turns: list[Turn] = []
    for number, told in enumerate(tree["turns"], start=1):
        operations = [each for clause in told["clauses"] for each in _operations(clause, is_debated=is_debated)]
        turns.append(
            Turn(
                id=TurnId(f"T{number}"),
                speaker=AgentId(told["speaker"]),
                text=told["text"],
                operations=tuple(operations),
            )
        )
    return Talk(
        id=id,
        group=group,
        agents=tuple(
            Agent(id=AgentId(each["name"]), name=each["name"], kind=AgentKind(each["kind"])) for each in tree["agents"]
        ),
        turns=tuple(turns),
        clauses=tuple(tuple(told["clauses"]) for told in tree["turns"]),
        candidates=tuple(tree["candidates"]),
        shared=shared,
    )


_ORDER = {"observe": 0, "expand_awareness": 1, "hypothesize": 2, "question": 3}
"""What is put forward first in a clause that does several things, so that the rest can refer to it."""


def _operations(clause: Mapping[str, Any], *, is_debated: bool) -> Iterator[Operation]:
    """Give the operations of a clause, new claims first; what it observes replaces what it revises."""
    revised = [PropositionId(each["target"]) for each in clause["ops"] if each["op"] == "revise"]
    observed = [PropositionId(each["id"]) for each in clause["ops"] if each["op"] == "observe"]
    for each in sorted(clause["ops"], key=lambda each: _ORDER.get(each["op"], len(_ORDER))):
        grounds = tuple(Literal(PropositionId(id)) for id in each.get("on", ()))
        target = PropositionId(each.get("target", ""))
        match each["op"]:
            case "observe":
                older = tuple(revised) if observed[0] == each["id"] else ()
                yield Observe(id=PropositionId(each["id"]), text=each["says"], depends_on=grounds, supersedes=older)
            case "hypothesize":
                kind = Kind.POSITION if is_debated else Kind.HYPOTHESIS
                yield Hypothesize(id=PropositionId(each["id"]), text=each["says"], kind=kind, depends_on=grounds)
            case "support":
                yield Support(target=target, evidence=tuple(map(Literal, observed)), depends_on=grounds)
            case "undermine":
                yield Undermine(target=target, evidence=tuple(map(Literal, observed)), depends_on=grounds)
            case "revise":
                yield Revise(target=target, replacement=observed[0] if observed else None)
            case "resolve":
                yield Resolve(target=Literal(target), depends_on=grounds)
            case "expand_awareness":
                yield ExpandAwareness(id=PropositionId(each["id"]), text=each["says"])
            case "question":
                about = tuple(map(PropositionId, each.get("about", ())))
                id = PropositionId(each["id"]) if "id" in each else None
                yield Question(text=each.get("says", clause["text"].strip()), id=id, about=about)
            case name:
                raise ValueError(f"no operation {name!r}")


def transcript_of(talk: Talk) -> Transcript:
    """Give a talk as the annotated transcript that it is, its candidates as items to verify."""
    items = [
        VerifyItem(
            id=f"{talk.id}/{number}",
            label=Outcome(each["label"]),
            text=each["text"],
            at=TurnId(f"T{each['at']}"),
            category=each["reason"] or "actual",
        )
        for number, each in enumerate(talk.candidates, start=1)
    ]
    return Transcript(
        id=talk.id, turns=talk.turns, agents=talk.agents, is_annotated=True, gold=Gold(verify=tuple(items))
    )


def told(talk: Talk) -> Iterator[tuple[int, StateView]]:
    """Tell a talk, and give the number of each turn with what was in view before it; at last what is in view after."""
    conversation = Conversation(Beginning(agents=talk.agents), id=talk.id, policy=EVERYONE, is_lenient=True)
    for place, turn in enumerate(talk.turns):
        before = talk.turns[:place]
        yield place, StateView(conversation.state, earlier=lambda count, before=before: before[-count:])
        conversation.tell(turn, interpreter="annotated")
    yield len(talk.turns), StateView(conversation.state)


def utterances(talk: Talk, surroundings: Surroundings) -> Iterator[Utterance]:
    """Give the turns of a talk that no other one has, laid out beside what is on the table."""
    for place, view in told(talk):
        if place == len(talk.turns):
            return
        if place < talk.shared:
            continue
        clauses = [each for each in talk.clauses[place] if each["text"].strip()]
        if not clauses:
            continue
        texts = [each["text"].strip() for each in clauses]
        around = shown(talk.turns[place], texts, view, surroundings)
        ids = [known.proposition.id for known in around.propositions]
        yield Utterance(
            group=talk.group,
            talk=around.talk,
            operations=tuple(_marked(OPERATIONS, {each["op"] for each in _done(clause)}) for clause in clauses),
            acts=tuple(tuple(_acts(clause, id) for id in ids) for clause in clauses),
        )


def _done(clause: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give what a clause does, without that an answer settles its question: what settles is a decision or a cause."""
    is_answer = any(each["op"] == "observe" for each in clause["ops"])
    return [
        each for each in clause["ops"] if not (is_answer and each["op"] == "resolve" and each["target"].startswith("q"))
    ]


def _marked(names: Sequence[str], found: set[str]) -> tuple[int, ...]:
    return tuple(int(name in found) for name in names)


def _acts(clause: Mapping[str, Any], id: str) -> tuple[int, ...]:
    found = {each["op"] for each in _done(clause) if each.get("target") == id}
    if any(id in each.get("on", ()) for each in clause["ops"]):
        found.add("rest_on")
    return _marked(ACTS, found)


def candidates(talk: Talk, surroundings: Surroundings) -> Iterator[Judged]:
    """Give the claims of the candidates, beside the propositions that they are about and the nearest others."""
    views = dict(told(talk))
    for candidate in talk.candidates:
        view = views[candidate["at"]]
        for claim in candidate["claims"]:
            targets = _relations(claim)
            needed = [id for id in targets if view.get(PropositionId(id)) is not None]
            ids = dict.fromkeys(needed)
            (near,) = surroundings([claim["span"]], view, BESIDE)
            ids.update(dict.fromkeys(each.known.proposition.id for each in near))
            chosen = list(ids)[: max(BESIDE, len(needed))]
            # They are found nearest first, and a place must not tell what they are.
            chosen.sort()
            known = [each for id in chosen if (each := view.get(PropositionId(id))) is not None]
            yield Judged(
                group=talk.group,
                claim=claim["span"],
                reply=candidate["text"] if len(candidate["claims"]) > 1 else "",
                propositions=tuple(each.proposition.text for each in known),
                targets=tuple(targets.get(each.proposition.id, NONE) for each in known),
                about=(
                    STANCES.index(Stance(claim["stance"])),
                    MODALITIES.index(Modality(claim["modality"])) if claim["modality"] in MODALITIES else UNKNOWN,
                    int(not claim["links"]),
                ),
            )


def _relations(claim: Mapping[str, Any]) -> dict[str, tuple[int, int, int]]:
    linked = DENIES if claim["stance"] == "denies" else LINK
    targets = {id.removeprefix("~"): linked for id in claim["links"]}
    for id in claim["contradicts"]:
        targets.setdefault(id.removeprefix("~"), CONTRADICTS)
    return targets
