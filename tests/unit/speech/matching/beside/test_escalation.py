"""Two matchers in a row: who is asked when, and who is believed where."""

from __future__ import annotations

import pytest

from upheld.errors import BudgetSpent, ModelUnreachable
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.speech.matching.beside.escalation import EscalatingMatcher, merged
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld.speech.view import Known, View

TEXT = "abc def ghi"
SUPPORTED, COMMITTED, CONTRADICTS = Relation.SUPPORTED_BY, Relation.COMMITTED_TO, Relation.CONTRADICTS


def claim(start: int, end: int, *links: tuple[str, Relation], is_new: bool = False) -> Claim:
    """Give a claim with these links, or an open one."""
    made = tuple(Link(literal=Literal(PropositionId(id)), relation=to, score=1.0, rule="told") for id, to in links)
    return Claim(span=(start, end), text=TEXT[start:end], links=made, abstained="" if made else "open", is_new=is_new)


class Told:
    """A matcher that finds what it was told to, or fails."""

    def __init__(self, *claims: Claim, name: str = "told", failure: Exception | None = None) -> None:
        """Take the claims."""
        self.name, self.version = name, "1"
        self.asked = 0
        self._claims, self._failure = claims, failure

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give them."""
        self.asked += 1
        if self._failure is not None:
            raise self._failure
        return self._claims


class Nothing:
    """A view of nothing."""

    def known(self) -> tuple[Known, ...]:
        """Give nothing."""
        return ()

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give nothing."""
        return None


def test_the_capable_one_is_asked_only_where_something_is_open() -> None:
    """Issue, section 1: the share asked is reported; nothing said needs nobody."""
    capable = Told(claim(0, 3, ("o2", SUPPORTED)))
    for claims, asked in (((claim(0, 3, ("o1", SUPPORTED)),), 0), ((), 0), ((claim(0, 3),), 1)):
        matcher = EscalatingMatcher(Told(*claims), capable)
        matcher.match(TEXT, Nothing())
        assert (matcher.share.texts, matcher.share.asked) == (1, asked)
    assert capable.asked == 1
    assert EscalatingMatcher(Told(), capable).share.asked_share == 0.0
    both = EscalatingMatcher(Told(claim(0, 3)), capable)
    both.match(TEXT, Nothing())
    assert both.share.asked_share == 1.0


def test_a_verdict_names_both() -> None:
    """Demanded by semantics, section 11: by which matcher and version."""
    matcher = EscalatingMatcher(Told(name="cheap"), Told(name="dear"))
    assert (matcher.name, matcher.version) == ("cheap, dear", "1, 1")


@pytest.mark.parametrize("failure", [ModelUnreachable("refused"), BudgetSpent("spent")])
def test_without_an_answer_what_was_open_stays_open(failure: Exception) -> None:
    """Addendum of the issue: a language model's absence is never a pass; what the rules found is kept."""
    matcher = EscalatingMatcher(Told(claim(0, 3, ("o1", COMMITTED)), claim(4, 7)), Told(failure=failure))
    found = matcher.match(TEXT, Nothing())
    assert found[0] == claim(0, 3, ("o1", COMMITTED))
    assert found[1].links == ()
    assert str(failure) in found[1].abstained


def test_the_second_is_believed_and_the_first_fills_the_gaps() -> None:
    """Our promise: merged by span, in order, without overlap."""
    first = (claim(0, 3, ("o1", SUPPORTED)), claim(4, 7), claim(8, 11))
    second = (claim(4, 7, ("o2", SUPPORTED)),)
    assert merged(first, second) == (first[0], second[0], first[2])


def test_an_objection_of_the_first_is_kept() -> None:
    """Our promise: a claim is grounded only if neither objects."""
    first = (claim(0, 3, ("o1", CONTRADICTS)), claim(4, 11))
    second = (claim(0, 7, ("o2", SUPPORTED)), claim(8, 11))
    found = merged(first, second)
    assert [link.relation for link in found[0].links] == [SUPPORTED, CONTRADICTS]
    assert found[1].links == ()
    assert [each.span for each in found] == [(0, 7), (8, 11)]
    (new,) = merged((claim(0, 3, ("o1", COMMITTED)),), (claim(0, 3, is_new=True),))
    assert (new.is_new, new.abstained, len(new.links)) == (True, "", 1)


def test_what_the_second_could_not_check_the_first_may_decide() -> None:
    """Our promise: only where its claim covers the whole of it."""
    decided = claim(0, 7, ("o1", SUPPORTED))
    (found,) = merged((decided,), (claim(0, 3),))
    assert (found.links, found.span, found.text) == (decided.links, (0, 3), "abc")
    (still,) = merged((claim(0, 3, ("o1", SUPPORTED)),), (claim(0, 7),))
    assert still.links == ()


def test_another_kind_of_failure_is_not_hidden() -> None:
    """Our promise: a mistake in the program is no missing answer."""
    with pytest.raises(ZeroDivisionError):
        EscalatingMatcher(Told(claim(0, 3)), Told(failure=ZeroDivisionError())).match(TEXT, Nothing())
