"""The trained matcher, alone and behind the one that goes by words, against the suite that we ship."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from upheld.conversation.checking.networks import trained_matcher
from upheld.conversation.checking.readers import has_local, matcher
from upheld.speech.matching.matcher import Matcher
from upheld.testing.matcher_contract import MatcherContract

needs_extra = pytest.mark.skipif(not has_local(), reason="the extra local is not installed")


@needs_extra
class TestTrainedMatcher(MatcherContract):
    """The network and its rule, with bars at which it speaks of the few things that the suite is about."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return lambda: cast("Matcher", trained_matcher(bars=(0.2, 0.7)))


@needs_extra
class TestLocalMatcher(MatcherContract):
    """What ``--matching local`` means: words first, then the network."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return lambda: matcher("local")
