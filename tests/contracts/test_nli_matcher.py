"""The matcher by a user's own network, alone and behind the one that goes by words, against the suite that we ship."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from upheld.conversation.checking.networks import nli_matcher
from upheld.conversation.checking.readers import has_local, matcher
from upheld.speech.matching.entailment.weights import PATH_VARIABLE
from upheld.speech.matching.matcher import Matcher
from upheld.testing.matcher_contract import MatcherContract

needs_extra = pytest.mark.skipif(not has_local(), reason="the extra local is not installed")


@pytest.fixture(autouse=True)
def own(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name the small network of the tests, which has the few sentences of the suite by heart."""
    monkeypatch.setenv(PATH_VARIABLE, str(root / "tests" / "networks" / "nli" / "learned"))


@needs_extra
class TestNliMatcher(MatcherContract):
    """The network and its bars."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return lambda: cast("Matcher", nli_matcher())


@needs_extra
class TestOwnMatcher(MatcherContract):
    """What ``--matching nli`` means: words first, then the network."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return lambda: matcher("nli")
