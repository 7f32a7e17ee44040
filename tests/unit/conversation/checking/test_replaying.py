"""A transcript told again, each reply judged against the state before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from upheld.conversation.checking import replaying
from upheld.conversation.checking.claims import Checked
from upheld.conversation.checking.replaying import CheckReport, check_replies, leans_on, loaded, policy_of
from upheld.errors import UnknownReference, UpheldError
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
from upheld.logic.language.turns import Retract, Turn
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS
from upheld.speech.formats.gold import Gold, VerifyItem
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.matching.matcher import Claim
from upheld.speech.view import View

ALICE, BOT = AgentId("alice"), AgentId("bot")
AGENTS = (Agent(id=ALICE), Agent(id=BOT, kind=AgentKind.ASSISTANT))


def p(id: str) -> PropositionId:
    """Write an id for short."""
    return PropositionId(id)


def said(number: int, speaker: AgentId, text: str, *operations: Operation) -> Turn:
    """Give a turn."""
    return Turn(id=TurnId(f"T{number}"), speaker=speaker, text=text, operations=operations)


LABELLED = Transcript(
    id="trip",
    title="A trip",
    agents=AGENTS,
    is_annotated=True,
    turns=(
        said(1, ALICE, "My train leaves at 9:40.", Observe(id=p("o1"), text="The train leaves at 9:40.")),
        said(2, BOT, "Then be there at half past nine.",
             Observe(id=p("o2"), text="Alice should be there at 9:30.", depends_on=(Literal(p("o1")),))),
        said(3, ALICE, "No, it is the other train.", Revise(target=p("o1"))),
        said(4, BOT, "At half past nine, then.", Support(target=p("o2"), evidence=(Literal(p("o1")),))),
        said(5, BOT, "I see.", Question(text="This asks nothing.")),
    ),
)  # fmt: skip

CHAT = Transcript(
    id="chat",
    agents=AGENTS,
    turns=(
        said(1, ALICE, "The train to Porto leaves at 9:40."),
        said(2, BOT, "The train to Porto leaves at 9:40."),
        said(3, ALICE, "Der Zug fährt nämlich immer um 9:40 Uhr ab."),
        said(4, BOT, "Lovely weather today, by the way."),
    ),
)


def verdicts(report: CheckReport) -> dict[str, Outcome]:
    """Give the verdict on each reply."""
    return {reply.turn: reply.checked.outcome for reply in report.replies}


def only(report: CheckReport, turn: str) -> Checked:
    """Give what was found on one reply."""
    return next(reply.checked for reply in report.replies if reply.turn == turn)


def test_each_reply_is_judged_against_the_state_before_it() -> None:
    """Demanded by programs.md, 1: what was fine to say at T2 is not fine at T4."""
    report = check_replies(LABELLED)
    assert (report.title, report.interpreter, report.matcher) == ("A trip", "annotated@1", "labels")
    assert verdicts(report) == {"T2": Outcome.GROUNDED, "T4": Outcome.UNGROUNDED, "T5": Outcome.ABSTAIN}
    (finding,) = only(report, "T4").findings
    assert (finding.reason, finding.turn) == (Reason.RETRACTED, "T3")
    assert [reply.speaker for reply in report.replies] == [BOT] * 3
    assert not report.has_replies_of_all
    assert report.conversation.timeline.turns == ("T1", "T2", "T3", "T4", "T5")


def test_what_a_lenient_replay_passed_over_is_in_the_report() -> None:
    """Demanded by semantics, section 4: a failed precondition becomes a finding on the turn."""
    report = check_replies(LABELLED)
    assert ("T5", "neither_asks_nor_flags") in [(each.turn, each.failure.name) for each in report.findings]
    assert report.unread == ()


def test_replies_are_those_of_the_assistants_else_of_everybody_or_of_whom_one_names() -> None:
    """Our promise: the report says when all turns were judged for want of an assistant."""
    everybody = Transcript(id="", turns=CHAT.turns, agents=(Agent(id=ALICE), Agent(id=BOT)))
    report = check_replies(everybody)
    assert report.has_replies_of_all
    assert set(verdicts(report)) == {"T1", "T2", "T3", "T4"}
    assert report.title == ""
    assert report.conversation.id == "conversation"
    named = check_replies(everybody, speakers=["alice"])
    assert not named.has_replies_of_all
    assert set(verdicts(named)) == {"T1", "T3"}


def test_a_label_of_a_reply_goes_before_what_it_seems_to_lean_on() -> None:
    """Our promise: the labeller's item on the very words, asked right before the turn, is the answer."""
    at_half_past = VerifyItem(
        id="e1",
        label=Outcome.GROUNDED,
        at=TurnId("T3"),
        text="at half past nine, then",
        contradicts=(Literal(p("o1")),),
    )
    first = VerifyItem(id="e2", label=Outcome.UNGROUNDED, text="I see.")
    after_a_change = VerifyItem(
        id="e3",
        label=Outcome.UNGROUNDED,
        at=TurnId("T1"),
        text="Then be there at half past nine.",
        after=(Retract(target=p("o1")),),
    )
    nowhere = VerifyItem(id="e4", label=Outcome.UNGROUNDED, at=TurnId("T99"), text="I see.")
    gold = Gold(verify=(at_half_past, first, after_a_change, nowhere))
    turns = LABELLED.turns
    report = check_replies(Transcript(id="trip", agents=AGENTS, turns=turns, is_annotated=True, gold=gold))
    assert verdicts(report) == {"T2": Outcome.GROUNDED, "T4": Outcome.GROUNDED, "T5": Outcome.ABSTAIN}
    assert only(report, "T4").findings[0].literal == Literal(p("o1"), negated=True)


def test_by_words_alone_no_label_is_looked_at() -> None:
    """Our promise: ``matching="text"`` reads what was said; what it cannot decide it abstains on."""
    report = check_replies(LABELLED, matching="text")
    assert report.matcher == "lexical@1"
    assert set(verdicts(report).values()) == {Outcome.ABSTAIN}


def test_a_plain_chat_is_read_and_checked_by_its_words() -> None:
    """Our promise: interpreter and matcher are chosen by what the file has; what could not be read is listed."""
    report = check_replies(CHAT)
    assert (report.interpreter, report.matcher) == ("cues@1", "lexical@1")
    assert verdicts(report) == {"T2": Outcome.GROUNDED, "T4": Outcome.ABSTAIN}
    assert [turn for turn, _ in report.unread] == ["T3"]
    assert "language" in report.unread[0][1]
    assert report.conversation.state.policy is PEOPLE_AND_TOOLS


def test_gold_matching_of_a_file_without_labels_reads_its_words() -> None:
    """Our promise: a reply about which no label says anything is judged by its words."""
    report = check_replies(CHAT, matching="gold")
    assert verdicts(report)["T2"] is Outcome.GROUNDED


def test_a_speaker_whom_the_file_does_not_list_is_read_too() -> None:
    """Our promise: whoever speaks unannounced joins as a person."""
    report = check_replies(Transcript(id="chat", turns=CHAT.turns[:2]))
    assert report.unread == ()
    assert verdicts(report)["T2"] is Outcome.GROUNDED


class Hasty:
    """An interpreter that reads every turn as a question that asks nothing, beside what was said."""

    name = "hasty"
    version = "1"

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read."""
        said = Observe(id=p(f"{turn.id}.1"), text=turn.text)
        return Interpreted(operations=(Question(text="This asks nothing."), said), interpreter="hasty@1")


def test_what_a_reading_may_not_do_is_dropped_and_reported() -> None:
    """Our promise: the report names the operation that the engine refused, by its place in the reading."""
    report = check_replies(CHAT, interpreter=Hasty())
    assert report.interpreter == "hasty@1"
    assert [(each.turn, each.operation) for each in report.findings] == [(f"T{n}", 0) for n in range(1, 5)]
    assert [each.id for each in report.conversation.propositions] == [f"T{n}.1" for n in range(1, 5)]
    assert report.unread == ()


def test_progress_counts_turns() -> None:
    """Our promise: done and in all, once a turn."""
    seen: list[tuple[int, int]] = []
    check_replies(CHAT, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    seen.clear()
    loaded(CHAT, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_loaded_file_has_every_turn_told() -> None:
    """Our promise: a lenient conversation under the file's name, with the policy that fits, or the one asked for."""
    talk = loaded(LABELLED)
    assert (talk.id, talk.timeline.turns) == ("trip", ("T1", "T2", "T3", "T4", "T5"))
    assert talk.state.policy is EVERYONE
    assert loaded(LABELLED, policy=PEOPLE_AND_TOOLS).state.policy is PEOPLE_AND_TOOLS
    assert loaded(LABELLED, interpreter="cues").state.policy is PEOPLE_AND_TOOLS
    assert loaded(LABELLED, interpreter="cues").timeline.told(TurnId("T3")).operations != LABELLED.turns[2].operations


def test_who_is_a_source_is_the_labellers_business_unless_the_file_says_otherwise() -> None:
    """Demanded by semantics, section 10: scoring an annotated file takes every agent as a source."""
    assert policy_of(LABELLED, is_labelled=True) is EVERYONE
    assert policy_of(LABELLED, is_labelled=False) is PEOPLE_AND_TOOLS
    default = Transcript(id="x", turns=(), extra={"policy": "default"})
    assert policy_of(default, is_labelled=True) is PEOPLE_AND_TOOLS


def test_a_file_that_means_nothing_is_refused() -> None:
    """Demanded by semantics, section 4: a dangling id is no finding; an unknown interpreter is no guess."""
    dangling = Transcript(
        id="x", agents=AGENTS, is_annotated=True, turns=(said(1, ALICE, "No.", Revise(target=p("nowhere"))),)
    )
    with pytest.raises(UnknownReference):
        loaded(dangling)
    with pytest.raises(UpheldError, match="no interpreter"):
        loaded(CHAT, interpreter="psychic")


def test_what_a_turn_leans_on_is_what_it_did_not_introduce_itself() -> None:
    """Our promise: premises and evidence of every operation, each once, in order."""

    def lits(*ids: str) -> tuple[Literal, ...]:
        return tuple(Literal(p(id)) for id in ids)

    operations: tuple[Operation, ...] = (
        Observe(id=p("x1"), text="One.", depends_on=lits("o1", "o2")),
        Hypothesize(id=p("x2"), text="Two.", depends_on=lits("x1", "o3")),
        Support(target=p("x2"), id=p("x3"), text="Three.", evidence=lits("o4"), depends_on=lits("x2", "o1")),
        Undermine(target=p("o9"), evidence=lits("x3", "o5")),
        Revise(target=p("o8"), because=(Literal(p("o6"), negated=True),)),
        Resolve(target=Literal(p("x2")), depends_on=lits("o7")),
        ExpandAwareness(id=p("x4"), text="Four."),
        Question(text="Five?", about=(p("o8"),)),
    )
    assert [str(item) for item in leans_on(operations)] == ["o1", "o2", "o3", "o4", "o5", "~o6", "o7"]
    assert leans_on(()) == ()


LEANING: list[tuple[tuple[Operation, ...], Outcome, Reason | None]] = [
    ((Hypothesize(id=p("h2"), text="Then this.", depends_on=(Literal(p("h1")),)),), Outcome.GROUNDED, None),
    (
        (Hypothesize(id=p("h2"), text="Then this.", depends_on=(Literal(p("h0")),)),),
        Outcome.UNGROUNDED,
        Reason.ABANDONED,
    ),
    ((Support(target=p("h1"), evidence=(Literal(p("o1")),)),), Outcome.GROUNDED, None),
    ((Observe(id=p("o2"), text="New.", depends_on=(Literal(p("o1")),)),), Outcome.GROUNDED, None),
    (
        (
            Observe(id=p("o2"), text="New, and on nothing."),
            Observe(id=p("o3"), text="On both.", depends_on=(Literal(p("o2")), Literal(p("o1")))),
        ),
        Outcome.ABSTAIN,
        None,
    ),
    (
        (
            Support(target=p("h1"), evidence=(Literal(p("h0")),)),
            Observe(id=p("o2"), text="New, and on nothing."),
        ),
        Outcome.UNGROUNDED,
        Reason.ABANDONED,
    ),
    ((Undermine(target=p("h1"), evidence=(Literal(p("o1"), negated=True),)),), Outcome.ABSTAIN, None),
]
"""What a turn does after o1 (stands), h1 (a live hypothesis) and h0 (given up), and the verdict on it."""


@pytest.mark.parametrize(("operations", "outcome", "reason"), LEANING)
def test_a_turn_without_a_label_is_judged_by_what_it_leans_on(
    operations: tuple[Operation, ...], outcome: Outcome, reason: Reason | None
) -> None:
    """Semantics, 6 and 11: what is live carries a hypothesis; the part that nobody looked at is not grounded."""
    before = said(
        1,
        ALICE,
        "The start.",
        Observe(id=p("o1"), text="It rains."),
        Hypothesize(id=p("h1"), text="The road is wet.", depends_on=(Literal(p("o1")),), explains=(p("o1"),)),
        Hypothesize(id=p("h0"), text="The roof leaks.", explains=(p("o1"),)),
        Revise(target=p("h0")),
    )
    talk = Transcript(
        id="lean", agents=AGENTS, is_annotated=True, turns=(before, said(2, BOT, "So be it.", *operations))
    )
    found = only(check_replies(talk), "T2")
    assert found.outcome is outcome
    assert next((each.reason for each in found.findings if each.reason is not None), None) is reason


def test_the_example_is_checked_as_its_page_says(root: Path) -> None:
    """Demanded by programs.md, 1: a reply that rests on a hypothesis that was given up is ungrounded, as abandoned."""
    report = check_replies(read_transcript(root / "examples/checkout-outage.json"))
    outcomes = [reply.checked.outcome for reply in report.replies]
    assert outcomes == [Outcome.UNGROUNDED, Outcome.GROUNDED]
    assert report.replies[0].checked.findings[0].reason is Reason.ABANDONED


class NobodySaidIt:
    """A matcher that is sure of every text that nobody said it."""

    name = "scripted"
    version = "1"

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the whole text as one new claim."""
        return (Claim(span=(0, len(text)), text=text, is_new=True),)


def test_what_a_person_says_first_is_no_fault_and_what_an_assistant_says_first_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Our promise: among persons every turn is new; whoever is named to be checked answers for it all the same."""

    def sure(name: str, *, llm: object = None, interpreter: str = "") -> NobodySaidIt:
        return NobodySaidIt()

    monkeypatch.setattr(replaying, "matcher", sure)
    turns = (Turn(id=TurnId("T1"), speaker=ALICE, text="The train leaves at nine."),)
    among_persons = Transcript(id="talk", turns=turns, agents=AGENTS[:1])
    (said,) = check_replies(among_persons, interpreter="cues", matching="text").replies
    assert said.checked.outcome is Outcome.ABSTAIN
    turns = (*turns, Turn(id=TurnId("T2"), speaker=BOT, text="It leaves from platform four."))
    with_assistant = Transcript(id="talk", turns=turns, agents=AGENTS)
    (reply,) = check_replies(with_assistant, interpreter="cues", matching="text").replies
    assert reply.checked.outcome is Outcome.UNGROUNDED
    assert reply.checked.claims[0].reason is Reason.UNKNOWN
    (asked,) = check_replies(among_persons, interpreter="cues", matching="text", speakers=("alice",)).replies
    assert asked.checked.outcome is Outcome.UNGROUNDED
