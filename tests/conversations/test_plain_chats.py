"""Plain chats, checked with the embedded interpreter and matcher alone: corrected values, and replies on them.

The chats are invented, by the same hand as the rules. Those of ``held_out.yaml`` were written before the rules and
first run when the rules of cues were done; those of ``tuned.yaml`` and ``traps.yaml`` were looked at all the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.checking.readers import has_local
from upheld.conversation.checking.replaying import CheckReport, check_replies
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Label
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.formats.plain.chat import read_chat
from upheld.speech.formats.reading import read_transcript

PLAIN = Path(__file__).parent / "plain"


def of_file(name: str) -> list[dict[str, Any]]:
    """Read a list of chats."""
    return yaml.safe_load((PLAIN / name).read_text("utf-8"))


def checked(messages: Iterable[tuple[str, str]], by: str = "cues") -> CheckReport:
    """Check a chat of roles and contents by its words alone, or as the network of this project reads it."""
    chat = read_chat([{"role": role, "content": content} for role, content in messages])
    return check_replies(chat, interpreter=by, matching="text" if by == "cues" else by)


def asked(said: Iterable[str], reply: str, by: str = "cues") -> CheckReport:
    """Check one reply to what a user said in several turns."""
    turns = [turn for text in said for turn in (("user", text), ("assistant", "OK."))]
    return checked([*turns[:-1], ("assistant", reply)], by)


def verdict(said: Iterable[str], reply: str, by: str = "cues") -> tuple[Outcome, list[Reason | None]]:
    """Give the verdict on a reply and the reasons in it."""
    last = asked(said, reply, by).replies[-1].checked
    return last.outcome, [finding.reason for finding in last.findings]


def figures(name: str, by: str = "cues") -> Counter[str]:
    """Count the verdicts on the labelled replies of a file; an unlabelled reply is right to abstain on."""
    counted: Counter[str] = Counter()
    for chat in of_file(name):
        messages = [
            next((role, item[role]) for role in ("user", "assistant") if role in item) for item in chat["messages"]
        ]
        labels = {f"T{place}": item.get("label", "open") for place, item in enumerate(chat["messages"], start=1)}
        for reply in checked(messages, by).replies:
            label, outcome = labels[reply.turn], reply.checked.outcome.value
            counted["replies"] += 1
            if outcome == "abstain":
                counted["abstained"] += 1
            elif outcome == label:
                counted["right"] += 1
            else:
                counted[f"false {outcome}"] += 1
    return counted


def test_the_chats_that_the_rules_were_tuned_on_are_judged_without_a_wrong_verdict() -> None:
    """Our promise: a false "grounded" is the worst outcome, a false "ungrounded" nearly as bad."""
    found = figures("tuned.yaml")
    assert (found["false grounded"], found["false ungrounded"]) == (0, 0)
    assert (found["replies"], found["right"]) == (67, 41)


def test_the_chats_that_were_held_out_are_judged_without_a_wrong_verdict() -> None:
    """Our promise, as above; 25 of 37 replies that can be decided were right at the first run.

    One more is since notes without function words are read: "Booking reference HB4420: five nights."
    """
    found = figures("held_out.yaml")
    assert (found["false grounded"], found["false ungrounded"]) == (0, 0)
    assert (found["replies"], found["right"]) == (63, 26)


@pytest.mark.skipif(not has_local(), reason="the extra local is not installed")
@pytest.mark.parametrize("name", ["tuned.yaml", "held_out.yaml"])
def test_the_trained_reader_makes_no_wrong_verdict_either_and_hardly_fewer_right_ones(name: str) -> None:
    """Our promise: whoever asks for the network by name gets no false alarm that words alone would not give.

    Both files were looked at while its rules were written (``trained/replacing.py``): for it, neither was held out.
    """
    by_words, by_network = figures(name), figures(name, "local")
    assert (by_network["false grounded"], by_network["false ungrounded"]) == (0, 0)
    assert by_network["right"] >= by_words["right"] - 2


@pytest.mark.skipif(not has_local(), reason="the extra local is not installed")
def test_the_trained_reader_walks_into_no_trap() -> None:
    """Our promise, as above: another thing's value, an added one, a refused change replace nothing."""
    fallen = [
        (trap["said"], trap["reply"], outcome)
        for trap in of_file("traps.yaml")
        if (outcome := verdict(trap["said"], trap["reply"], "local")[0].value)
        not in ((trap["is"], "abstain") if "is" in trap else {"grounded", "ungrounded", "abstain"} - {*trap["never"]})
    ]
    assert not fallen


def test_a_time_that_a_colleague_moved_is_superseded(root: Path) -> None:
    """Source: examples/README.md, stand-up: anyone who knows may report that the world has changed."""
    chat = read_transcript(root / "examples" / "standup.txt")
    state = check_replies(chat, interpreter="cues", matching="text").conversation.state
    assert (state.label("T4.1"), state.label("T5.1")) == (Label.OUT, Label.IN)


@pytest.mark.parametrize("trap", of_file("traps.yaml"), ids=lambda trap: f"{' '.join(trap['said'])} / {trap['reply']}")
def test_a_trap_is_not_walked_into(trap: dict[str, Any]) -> None:
    """Our promise: values are kept with what they are values of, who said them how, and what became of them."""
    outcome = verdict(trap["said"], trap["reply"])[0].value
    if "is" in trap:
        assert outcome in (trap["is"], "abstain")
    else:
        assert outcome not in trap["never"]


def test_most_traps_that_words_can_decide_are_decided() -> None:
    """Our promise: abstaining is honest, but no way to pass."""
    decided = [trap for trap in of_file("traps.yaml") if "is" in trap]
    right = [trap for trap in decided if verdict(trap["said"], trap["reply"])[0].value == trap["is"]]
    assert len(right) >= len(decided) - 3


@pytest.mark.parametrize("name", ["support-chat.json", "support-chat.jsonl"])
def test_the_example_chat_shows_the_reply_with_the_old_address(root: Path, name: str) -> None:
    """Source: examples/README.md: the tenth message rests on an address that was replaced at the fifth."""
    report = check_replies(read_transcript(root / "examples" / name))
    outcomes = {reply.turn: reply.checked.outcome for reply in report.replies}
    assert outcomes == {
        "T2": Outcome.ABSTAIN,
        "T4": Outcome.ABSTAIN,
        "T6": Outcome.GROUNDED,
        "T8": Outcome.GROUNDED,
        "T10": Outcome.UNGROUNDED,
        "T12": Outcome.ABSTAIN,
    }
    old = next(reply for reply in report.replies if reply.turn == "T10")
    (finding,) = [finding for finding in old.checked.findings if finding.reason is not None]
    state = report.conversation.state
    assert (finding.reason, finding.literal.proposition) == (Reason.SUPERSEDED, "T3.1")
    assert finding.current is not None
    assert state.proposition(finding.current).text == "Three lamps, to 3 Mill Lane, Athenry."


def test_c_16_a_name_that_was_replaced_is_not_the_name() -> None:
    """Source: cases, C-16: Bob current, Alice past; "Hi Alice" is stale and cites turn 2."""
    said = ("My name is Alice.", "My name is Bob.")
    report = asked(said, "Hi Alice, the link is on its way.")
    (finding,) = report.replies[-1].checked.findings
    assert (finding.reason, finding.literal.proposition, finding.current) == (Reason.SUPERSEDED, "T1.1", "T3.1")
    assert finding.turn == "T3"
    assert verdict(said, "Your name is Bob.") == (Outcome.GROUNDED, [None])


def test_c_20_a_reassignment_closes_the_old_assignment() -> None:
    """Source: cases, C-20: Boreas current, Atlas closed at the second turn."""
    said = ("Kiran is on project Atlas.", "Kiran was reassigned to Boreas.")
    outcome, reasons = verdict(said, "Kiran is on project Atlas.")
    assert (outcome, reasons) == (Outcome.UNGROUNDED, [Reason.SUPERSEDED])
    assert verdict(said, "Kiran was reassigned to Boreas.")[0] is Outcome.GROUNDED


@pytest.mark.xfail(reason="in other words: no word list joins 'is on project' and 'was reassigned to'")
def test_c_20_the_new_assignment_in_the_words_of_the_old() -> None:
    """Pinned gap, cases, C-20: "Kiran is on project Boreas" follows, and the lexical matcher abstains."""
    said = ("Kiran is on project Atlas.", "Kiran was reassigned to Boreas.")
    assert verdict(said, "Kiran is on project Boreas.")[0] is Outcome.GROUNDED


@pytest.mark.parametrize("stopped", ["Nicholas stopped green tea on 22 September.", "Stopped green tea on 22 Sep."])
def test_c_21_what_was_stopped_is_closed_and_was_so_before(stopped: str) -> None:
    """Source: cases, C-21: now coffee, on 21 September green tea: the state after each turn tells."""
    report = asked(
        ("Nicholas drinks green tea.", stopped, "Nicholas started coffee on 23 September."),
        "Nicholas drinks green tea.",
    )
    last = report.replies[-1].checked
    assert [finding.reason for finding in last.findings] == [Reason.SUPERSEDED]
    tea = PropositionId("T1.1")
    labels = [report.conversation.at(turn).state.label(tea) for turn in ("T1", "T3")]
    assert labels == [Label.IN, Label.OUT]
    assert (
        verdict(("Nicholas started coffee on 23 September.",), "Nicholas started coffee on 23 September.")[0]
        is Outcome.GROUNDED
    )


@pytest.mark.parametrize("padding", [0, 9])
def test_c_43_a_wrong_number_is_caught_however_much_else_was_said(padding: int) -> None:
    """Source: cases, C-43: flagged with and without nine irrelevant passages, with the same verdict."""
    fact = "The town of Ostrava has 67 million visitors a year."
    passages = [f"Passage {name} speaks of rivers, {name} bridges and trains." for name in "abcdefghi"[:padding]]
    said = (fact, *passages)
    wrong = verdict(said, "The town of Ostrava has 999 million visitors a year.")
    assert wrong == (Outcome.UNGROUNDED, [Reason.CONTRADICTED])
    assert verdict(said, fact)[0] is Outcome.GROUNDED


def test_an_assistants_own_words_are_no_ground_for_saying_them_again() -> None:
    """Source: semantics, section 10: what an assistant states is a commitment; nobody else bears it out."""
    messages = [("user", "Hi."), ("assistant", "Returns are free for 30 days."), ("user", "Is that so?")]
    report = checked([*messages, ("assistant", "Returns are free for 30 days.")])
    assert [reply.checked.outcome for reply in report.replies] == [Outcome.ABSTAIN, Outcome.ABSTAIN]


def test_an_assistant_replaces_nobody_elses_value() -> None:
    """Source: semantics, section 10: an assistant's statements are not sources."""
    messages = [
        ("user", "The deadline is 30 June."),
        ("assistant", "Actually, the deadline is 31 July."),
        ("user", "No."),
    ]
    report = checked([*messages, ("assistant", "The deadline is 30 June.")])
    assert [reply.checked.outcome for reply in report.replies] == [Outcome.UNGROUNDED, Outcome.GROUNDED]


_THINGS = st.sampled_from(("lamps", "chairs", "tickets", "white roses", "boxes of tea"))
_PLACES = st.sampled_from(("14 Quay Street", "3 Mill Lane", "9 Harbour Road, Durham", "70 Elm Court"))
_CHANGES = st.sampled_from(("Actually, make it {}.", "Please make it {} instead.", "No, {}.", "Can you make it {}?"))


@given(st.integers(2, 30), st.integers(2, 30), _THINGS, _PLACES, _CHANGES, st.integers(0, 5))
def test_a_replaced_number_is_superseded_and_the_new_one_stands(
    old: int, new: int, thing: str, place: str, change: str, padding: int
) -> None:
    """Our promise: one current value, whatever the cue, and whatever else is said in between."""
    noun = thing.split(" of ")[0]
    said = [f"{old} {thing} to {place}.", change.format(f"{new} {noun}"), *["The weather is fine today."] * padding]
    state = asked(said, f"{old} {thing} to {place}.").replies[-1].checked
    if old == new:
        assert state.outcome is Outcome.GROUNDED
        return
    assert [finding.reason for finding in state.findings] == [Reason.SUPERSEDED]
    assert verdict(said, f"{new} {thing} to {place}.")[0] is Outcome.GROUNDED


@given(st.integers(2, 30), st.integers(2, 30), _THINGS, _THINGS, _PLACES, _PLACES)
def test_no_reply_with_another_value_is_grounded(
    one: int, other: int, thing: str, another: str, place: str, elsewhere: str
) -> None:
    """Our promise: number, thing and place must all be the ones that were said."""
    said, reply = f"{one} {thing} to {place}.", f"{other} {another} to {elsewhere}."
    assert (verdict([said], reply)[0] is Outcome.GROUNDED) == (said == reply)
