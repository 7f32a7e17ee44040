"""The matcher by a language model against the suite that we ship, with scripted answers that go by words alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_text
from upheld.logic.language.identities import PropositionId
from upheld.speech.matching.beside.escalation import EscalatingMatcher
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.cues import is_small_talk
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.llm.matcher import LlmMatcher
from upheld.speech.matching.llm.request import request_for
from upheld.speech.matching.matcher import Matcher
from upheld.speech.matching.tokens import frame
from upheld.speech.models.request import Request, Role
from upheld.speech.view import Known
from upheld.testing.matcher_contract import PADDING, TEXTS, MatcherContract, table
from upheld.testing.scripted_model import ScriptedModel


def material_of(request: Request) -> dict[str, Any]:
    """Give what a request is about."""
    (user,) = [message.text for message in request.messages if message.role is Role.USER][:1]
    return json.loads(user)


def by_words(request: Request) -> dict[str, object]:
    """Answer as somebody would who looks at words alone, and at no figure: each sentence against the nearest text."""
    material = material_of(request)
    claims: list[dict[str, object]] = []
    silent: list[str] = []
    for start, end in sentences(material["reply"]):
        text = material["reply"][start:end]
        words = frame(text).words
        if is_small_talk(text) or not words:
            silent += [text] if words else []
            continue
        near = {each["id"]: len(words & frame(each["text"]).words) / len(words) for each in material["propositions"]}
        best = [name for name, share in near.items() if share >= 0.6 and share == max(near.values())]
        claims.append(
            {
                "text": text,
                "stance": "presupposes" if text.endswith("?") else "asserts",
                "modality": "question" if text.endswith("?") else "fact",
                "links": [{"id": name, "relation": "supported_by"} for name in best],
                "new": not best and not text.endswith("?"),
            }
        )
    return {"claims": claims, "no_claim": silent}


def matcher_by_words() -> LlmMatcher:
    """Give a matcher whose answers are scripted."""
    return LlmMatcher(ScriptedModel(by_words))


class TestLlmMatcher(MatcherContract):
    """The matcher by a language model; the answers are scripted, so this tests the way, not the judgement."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return matcher_by_words


class TestEscalatingMatcher(MatcherContract):
    """The embedded matcher with a scripted language model behind it."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return lambda: EscalatingMatcher(LexicalMatcher(), matcher_by_words())


# A fourth of the usual examples: each tells a conversation of its own, and checks every text in it twice.
@settings(max_examples=max(1, settings().max_examples // 4))
@given(padding=st.lists(st.sampled_from(PADDING), unique=True))
def test_padding_never_changes_a_verdict(padding: list[str]) -> None:
    """Issue, section 2 (C-43): what has nothing to do with a reply changes nothing, however much there is of it."""
    plain, padded = table().state, table(*padding).state
    for limit in (40, 6):
        matcher = LlmMatcher(ScriptedModel(by_words), limit=limit)
        for text in TEXTS:
            assert check_text(padded, text, matcher).outcome is check_text(plain, text, matcher).outcome


@dataclass(frozen=True)
class Empty:
    """A view of nothing, for candidates that do not look at it."""

    def known(self) -> tuple[Known, ...]:
        """Give nothing."""
        return ()

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give nothing."""
        return None


NOTHING = Empty()


@given(order=st.permutations(range(6)), given_up=st.sets(st.integers(0, 5)))
def test_neither_order_nor_standing_can_be_seen_in_a_request(order: list[int], given_up: set[int]) -> None:
    """Issue, section 2: it judges meaning, so the same texts make the same request whatever became of them."""
    talk = table("Only one more.")
    untouched = list(StateView(talk.state).known())
    for place in given_up:
        talk.retract(untouched[place].proposition.id)
    known = list(StateView(talk.state).known())
    shuffled = [known[place] for place in order]
    asked = request_for(TEXTS[0], NOTHING, candidates=lambda text, view, limit: shuffled)
    assert asked.request == request_for(TEXTS[0], NOTHING, candidates=lambda text, view, limit: untouched).request
