"""Which rule weighs the network: by whoever gave the record its meaning."""

from __future__ import annotations

import pytest

from upheld.conversation.checking.readers import least_sure
from upheld.speech.matching.trained.rule import RULES, SURE, rule_name


@pytest.mark.parametrize(
    ("read_by", "name"),
    [
        ("", SURE),
        ("annotated", SURE),
        ("by hand", SURE),
        ("llm(openai:gpt-4o)@3", SURE),
        ("cues", RULES["cues"]),
        ("cues@1", RULES["cues"]),
        ("local", RULES["local"]),
        ("trained(upheld-judge-2@b14841f2d549)", RULES["local"]),
        ("trained(upheld-judge-2@b14841f2d549)@1", RULES["local"]),
    ],
)
def test_a_record_has_the_rule_of_its_reader_by_whatever_name_it_is_given(read_by: str, name: str) -> None:
    """A surer rule than the record deserves would call wrong what is only unread."""
    assert rule_name(read_by) == name


def test_one_turn_that_was_read_less_surely_makes_a_record_less_sure() -> None:
    """What it gave up, or did not notice, stands or falls with that turn."""
    assert least_sure(["by hand", "cues@1", "annotated@1"]) == "cues@1"
    assert least_sure(["by hand", "annotated@1"]) == ""
