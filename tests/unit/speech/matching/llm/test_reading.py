"""An answer made into claims: where they stand, what they link to, and that nothing broken or missing is grounded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import CheckPolicy, check_claims
from upheld.conversation.conversation import Conversation
from upheld.errors import UnusableReply
from upheld.logic.language.identities import AgentId
from upheld.logic.language.verdicts import Outcome, Reason, Stance
from upheld.speech.matching.llm.reading import (
    NOBODY_SAID,
    PASSED_OVER,
    SAYS_UNKNOWN,
    TAKEN_LIGHTLY,
    UNSURE,
    read_reply,
)
from upheld.speech.matching.llm.request import Asked, request_for
from upheld.speech.matching.llm.spans import REPAIRED, SENTENCE
from upheld.speech.matching.matcher import Claim, Relation


def kitchen() -> Conversation:
    """Give a conversation about a broken oven: one theory was given up, one price was replaced."""
    talk = Conversation(agents={"ann": "cook", "ben": "cook"})
    talk.observe("ann", "o1", "The oven does not heat.")
    talk.hypothesize("ben", "h1", "The fuse is blown.", explains=["o1"])
    talk.revise("ben", "h1")
    talk.observe("ann", "o2", "The repair costs 80 euros.")
    talk.observe("ben", "o3", "The repair costs 95 euros.", supersedes=["o2"])
    return talk


def asked_of(text: str, talk: Conversation | None = None) -> Asked:
    """Give what is asked about a text."""
    return request_for(text, StateView((talk or kitchen()).state), AgentId("ann"))


def named(asked: Asked, id: str) -> str:
    """Give the name under which a proposition was shown."""
    return next(each.name for each in asked.shown if any(known.proposition.id == id for known in each.known))


def claim(asked: Asked, text: str, *links: tuple[str, str], **fields: Any) -> dict[str, Any]:
    """Give a claim as an answer has it; links are proposition and relation."""
    shown = [{"id": named(asked, id), "relation": relation} for id, relation in links]
    return {"text": text, "stance": "asserts", "modality": "fact", "links": shown, "new": False} | fields


def read(asked: Asked, *claims: dict[str, Any], no_claim: tuple[str, ...] = ()) -> tuple[Claim, ...]:
    """Read an answer."""
    return read_reply({"claims": list(claims), "no_claim": list(no_claim)}, asked)


def judged(asked: Asked, *claims: dict[str, Any], policy: CheckPolicy | None = None) -> tuple[Outcome, Reason | None]:
    """Give the verdict on an answer, and the reason of its first claim."""
    found = check_claims(kitchen().state, read(asked, *claims), matcher="scripted", policy=policy or CheckPolicy())
    return found.outcome, found.claims[0].reason if found.claims else None


def test_a_claim_has_the_characters_that_it_has_in_the_reply() -> None:
    """Demanded by semantics, section 11: a character span, for each clause of a compound sentence its own."""
    asked = asked_of("Hi! The oven does not heat, and the repair costs 95 euros.")
    found = read(
        asked,
        claim(asked, "The oven does not heat", ("o1", "supported_by")),
        claim(asked, "the repair costs 95 euros", ("o3", "supported_by")),
        no_claim=("Hi!",),
    )
    assert [each.text for each in found] == ["The oven does not heat", "the repair costs 95 euros"]
    assert [asked.text[slice(*each.span)] for each in found] == [each.text for each in found]


def test_a_compound_sentence_is_judged_claim_by_claim() -> None:
    """Issue, section 2: one half stands, the other was replaced."""
    asked = asked_of("The oven does not heat, and the repair costs 80 euros.")
    found = check_claims(
        kitchen().state,
        read(
            asked,
            claim(asked, "The oven does not heat", ("o1", "supported_by")),
            claim(asked, "the repair costs 80 euros.", ("o2", "supported_by")),
        ),
        matcher="scripted",
    )
    assert [each.outcome for each in found.claims] == [Outcome.GROUNDED, Outcome.UNGROUNDED]
    assert found.claims[1].reason is Reason.SUPERSEDED


@pytest.mark.parametrize(
    ("given_text", "note"),
    [
        ("the  oven DOES not heat!", REPAIRED),
        ("\u201cthe oven does not heat\u201d", ""),
        ("oven does heat not today, does it", SENTENCE),
    ],
)
def test_words_that_were_not_copied_are_found_by_what_they_are(given_text: str, note: str) -> None:
    """Our promise: a slip of the pen is mended, and the claim says so."""
    asked = asked_of("So, the oven does not heat, as of today. Nice weather, though, is it not.")
    (first, *_) = read(asked, claim(asked, given_text, ("o1", "supported_by")))
    assert "oven does not heat" in first.text
    assert first.note == note


def test_a_claim_that_is_not_in_the_reply_is_never_grounded() -> None:
    """Issue, section 6, point 8: what a language model makes up is not what was said."""
    asked = asked_of("We should buy a bigger fridge next week.")
    outcome, _ = judged(asked, claim(asked, "The oven does not heat.", ("o1", "supported_by")))
    assert outcome is Outcome.ABSTAIN


def test_what_was_passed_over_could_not_be_checked() -> None:
    """Our promise: a sentence that the language model left out does not pass with the rest."""
    asked = asked_of("The oven does not heat. The landlord has already paid for a new one.")
    found = read(asked, claim(asked, "The oven does not heat.", ("o1", "supported_by")))
    assert [each.abstained for each in found] == ["", PASSED_OVER]
    assert judged(asked, claim(asked, "The oven does not heat.", ("o1", "supported_by")))[0] is Outcome.ABSTAIN


def test_half_a_sentence_is_not_passed_over_either() -> None:
    """Our promise: a claim covers its own words alone."""
    asked = asked_of("The oven does not heat, and the landlord has already ordered a new one.")
    found = read(asked, claim(asked, "The oven does not heat", ("o1", "supported_by")))
    assert [each.abstained for each in found] == ["", PASSED_OVER]


def test_what_claims_nothing_may_be_left_aside_unless_it_has_figures() -> None:
    """Our promise: "no claim" is believed of thanks and questions, and not of sums."""
    asked = asked_of("Glad to hear that you like the place. The new oven cost 900 euros last week.")
    found = read(asked, no_claim=("Glad to hear that you like the place.", "The new oven cost 900 euros last week."))
    assert [(each.text, each.abstained) for each in found] == [
        ("The new oven cost 900 euros last week.", TAKEN_LIGHTLY)
    ]


def test_nobody_said_it_is_ungrounded_or_abstained_by_policy() -> None:
    """Issue, section 2: the paper's empty asserts_id; by default ungrounded as unknown."""
    asked = asked_of("The landlord has paid for it.")
    new = claim(asked, "The landlord has paid for it.", new=True)
    (found,) = read(asked, new)
    assert (found.is_new, found.abstained) == (True, NOBODY_SAID)
    assert judged(asked, new) == (Outcome.UNGROUNDED, Reason.UNKNOWN)
    assert judged(asked, new, policy=CheckPolicy(unmatched=Outcome.ABSTAIN))[0] is Outcome.ABSTAIN
    assert judged(asked, new | {"modality": "hypothesis"})[0] is Outcome.ABSTAIN
    assert judged(asked, new | {"modality": "hypothesis", "stance": "reports"})[0] is Outcome.UNGROUNDED


def test_could_not_tell_is_another_thing_than_nobody_said_it() -> None:
    """Demanded by semantics, section 11: could not check is not checked and ungrounded."""
    asked = asked_of("The landlord has paid for it.")
    (found,) = read(asked, claim(asked, "The landlord has paid for it."))
    assert (found.is_new, found.abstained) == (False, UNSURE)
    assert judged(asked, claim(asked, "The landlord has paid for it."))[0] is Outcome.ABSTAIN


def test_saying_that_something_is_not_known_is_no_claim_that_nobody_made() -> None:
    """C-45 (ragas #2806): a correct abstention is one, even where the language model takes it for news."""
    asked = asked_of("That has not been said here.")
    (found,) = read(asked, claim(asked, "That has not been said here.", new=True))
    assert (found.is_new, found.abstained) == (False, SAYS_UNKNOWN)


def test_a_denial_of_what_was_given_up_is_grounded() -> None:
    """Demanded by semantics, section 6: ~p is grounded when p was given up."""
    asked = asked_of("It is not the fuse after all.")
    denial = claim(asked, "It is not the fuse after all.", ("h1", "denies"), stance="denies")
    assert judged(asked, denial)[0] is Outcome.GROUNDED


def test_a_claim_about_the_course_of_things_rests_on_several_propositions() -> None:
    """The paper's e2_015: no single proposition carries it, and each that it needs is checked."""
    asked = asked_of("We began with the fuse, dropped it, and know by now what the repair costs.")
    several = claim(
        asked, asked.text, ("h1", "denies"), ("o3", "supported_by"), stance="reports", modality="hypothesis"
    )
    assert judged(asked, several)[0] is Outcome.GROUNDED
    wrong = claim(asked, asked.text, ("h1", "supported_by"), ("o3", "supported_by"), stance="reports")
    assert judged(asked, wrong) == (Outcome.UNGROUNDED, Reason.ABANDONED)


def test_advice_presupposes_its_premise() -> None:
    """The paper's e2_030: advice that reads well on a premise that was given up; and advice whose premise stands."""
    asked = asked_of("Let us replace the fuse so that the oven works again.")
    advice = claim(asked, asked.text, ("h1", "committed_to"), stance="presupposes")
    assert judged(asked, advice) == (Outcome.UNGROUNDED, Reason.ABANDONED)
    other = asked_of("Let us eat out, since the oven stays cold.")
    sound = claim(other, other.text, ("o1", "committed_to"), stance="presupposes")
    assert judged(other, sound)[0] is Outcome.GROUNDED


def test_a_claim_that_says_more_than_what_it_leans_on_is_not_grounded() -> None:
    """Demanded by semantics, section 11: it could not be checked whole."""
    asked = asked_of("The oven does not heat because of the thermostat.")
    assert judged(asked, claim(asked, asked.text, ("o1", "committed_to")))[0] is Outcome.ABSTAIN
    assert judged(asked, claim(asked, asked.text, ("o1", "supported_by"), new=True))[0] is Outcome.ABSTAIN


def test_of_two_propositions_of_one_wording_the_one_that_stands_is_meant() -> None:
    """Our promise: said, taken back and said again, it stands; the language model sees one wording."""
    talk = kitchen()
    talk.observe("ann", "o4", "The  kitchen is closed.")
    talk.retract("o4")
    talk.observe("ben", "o5", "The kitchen is closed.")
    asked = asked_of("The kitchen is closed.", talk)
    (shared,) = [each for each in asked.shown if len(each.known) > 1]
    assert [known.proposition.id for known in shared.known] == ["o4", "o5"]
    (found,) = read(asked, claim(asked, "The kitchen is closed.", ("o5", "supported_by")))
    assert found.links[0].literal.proposition == "o5"


def test_two_claims_on_the_same_words_hold_only_together() -> None:
    """Our promise: spans do not overlap, and a good claim does not hide a bad one."""
    asked = asked_of("The oven does not heat.")
    good = claim(asked, "The oven does not heat.", ("o1", "supported_by"))
    assert judged(asked, good, good)[0] is Outcome.GROUNDED
    assert judged(asked, good, claim(asked, "The oven does not heat."))[0] is Outcome.ABSTAIN
    assert judged(asked, good, claim(asked, "The oven does not heat.", new=True))[0] is Outcome.UNGROUNDED
    (found,) = read(asked, good, claim(asked, "The oven does not heat.", ("h1", "committed_to"), stance="denies"))
    assert [link.relation for link in found.links] == [Relation.SUPPORTED_BY, Relation.COMMITTED_TO]
    assert found.stance is Stance.ASSERTS


def test_claims_that_overlap_are_parted() -> None:
    """Our promise: whoever marks claims in a text needs them apart."""
    asked = asked_of("Since the oven does not heat, the repair is due and costs 95 euros.")
    found = read(
        asked,
        claim(asked, asked.text, ("o1", "supported_by"), stance="presupposes"),
        claim(asked, "the repair is due and costs 95 euros", ("o3", "committed_to")),
        claim(asked, "the repair is due"),
    )
    assert "".join(each.text for each in found).replace(" ", "") == asked.text.replace(" ", "")


REFUSED: list[object] = [
    None,
    [],
    {},
    {"claims": []},
    {"claims": [], "no_claim": [3]},
    {"claims": [{}], "no_claim": []},
    {"claims": ["The oven"], "no_claim": []},
    {"claims": [{"text": " ", "stance": "asserts", "modality": "fact", "links": []}], "no_claim": []},
    {"claims": [{"text": "x", "stance": "shouts", "modality": "fact", "links": []}], "no_claim": []},
    {"claims": [{"text": "x", "stance": "asserts", "modality": [], "links": []}], "no_claim": []},
    {"claims": [{"text": "x", "stance": "asserts", "modality": "fact", "links": [], "new": "no"}], "no_claim": []},
    {"claims": [{"text": "x", "stance": "asserts", "modality": "fact", "links": {}}], "no_claim": []},
    {
        "claims": [
            {"text": "x", "stance": "asserts", "modality": "fact", "links": [{"id": "o1", "relation": "denies"}]}
        ],
        "no_claim": [],
    },
    {
        "claims": [
            {"text": "x", "stance": "asserts", "modality": "fact", "links": [{"id": "p1", "relation": "likes"}]}
        ],
        "no_claim": [],
    },
    {"claims": [{"text": "x"}] * 10_000, "no_claim": []},
]


@pytest.mark.parametrize("answer", REFUSED)
def test_an_answer_that_is_not_what_was_asked_for_is_refused(answer: object) -> None:
    """Issue, sections 1 and 2: a schema echo, a missing field, an unknown id are typed failures."""
    with pytest.raises(UnusableReply, match=r"answer|claims|no_claim"):
        read_reply(answer, asked_of("The oven does not heat."))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["asserts", "fact", "p1", "supported_by", "the oven"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["claims", "no_claim", "text", "stance", "modality", "links", "new", "id", "relation"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)
PASSAGES = st.text(max_size=30) | st.sampled_from(["The oven", "does not heat", "oven does", "The fuse is blown."])


@st.composite
def answers(draw: st.DrawFn) -> dict[str, object]:
    """Give answers of the right shape, with any words."""
    links = st.lists(
        st.fixed_dictionaries(
            {
                "id": st.sampled_from(["p1", "p2", "p3", "p4"]),
                "relation": st.sampled_from(["supported_by", "committed_to", "denies", "contradicts"]),
            }
        ),
        max_size=3,
    )
    claims = st.fixed_dictionaries(
        {
            "text": PASSAGES.filter(str.strip),
            "stance": st.sampled_from(["asserts", "denies", "reports", "presupposes"]),
            "modality": st.sampled_from(["fact", "hypothesis", "question"]),
            "links": links,
            "new": st.booleans(),
        }
    )
    silent = st.lists(PASSAGES.filter(str.strip), max_size=3)
    return {"claims": draw(st.lists(claims, max_size=5)), "no_claim": draw(silent)}


@given(answer=ANYTHING)
def test_any_json_gives_claims_or_a_typed_failure(answer: object) -> None:
    """Issue, section 6, point 8: bad input never ends in another exception."""
    try:
        read_reply(answer, asked_of("The oven does not heat."))
    except UnusableReply:
        return


@given(text=st.text(max_size=60) | st.just("The oven does not heat. The fuse is blown, and so on."), answer=answers())
def test_claims_lie_in_the_text_apart_and_link_or_say_why_not(text: str, answer: dict[str, object]) -> None:
    """The contract of a matcher, on any text and any answer."""
    talk = kitchen()
    end = 0
    for each in read_reply(answer, asked_of(text, talk)):
        assert end <= each.span[0] < each.span[1] <= len(text)
        assert each.text == text[slice(*each.span)]
        assert bool(each.links) != bool(each.abstained)
        end = each.span[1]
