"""What ``upheld serve`` does before it listens."""

from __future__ import annotations

import json
from pathlib import Path

from upheld.faces.server.settings import Settings
from upheld.faces.service.worker import order

from .processes import service


def test_a_new_store_is_given_a_sample_and_is_asked_about_it_at_once(tmp_path: Path) -> None:
    """Issue 6, gate 1: whoever starts it for the first time has something to look at."""
    with service(f"sqlite:///{tmp_path}/t.db") as there:
        there.start()
        listed = there.client.get("/v1/conversations").tree["conversations"]
        assert [each["id"] for each in listed] == ["sample-greenhouse"]
        assert there.client.get("/v1/conversations/sample-greenhouse/history").tree["place"] == 10
        assert any("sample-greenhouse" in line and "--no-sample" in line for line in there.lines)


def test_a_store_that_has_something_is_left_as_it_is(tmp_path: Path) -> None:
    """Our promise: what is theirs is theirs."""
    with service(f"sqlite:///{tmp_path}/t.db") as there:
        there.start("--no-sample")
        assert there.client.get("/v1/conversations").tree["conversations"] == []
        there.client.begin("ours", {"id": "ann"})
        there.stop()
        there.start()
        assert [each["id"] for each in there.client.get("/v1/conversations").tree["conversations"]] == ["ours"]


def test_a_sample_is_put_nowhere_unasked_once_there_are_keys() -> None:
    """Our promise: a service that others use begins empty."""
    keys = Path("keys.toml")
    assert (Settings().wants_sample, Settings(keys=keys).wants_sample) == (True, False)
    assert (Settings(sample=False).wants_sample, Settings(keys=keys, sample=True).wants_sample) == (False, True)


def test_a_worker_is_told_the_secret_and_not_a_row_of_stars() -> None:
    """A fault that was found: a dump hides secrets, and all workers would have shared the stars as their key."""
    settings = Settings.model_validate({"redact": True, "redaction_key": "of the house"})
    told = json.loads(order(settings, listener=3, is_quiet=True))
    assert Settings.model_validate(told["settings"]).redaction_key.get_secret_value() == "of the house"


def test_workers_make_the_same_placeholders_without_a_key_of_the_operators(tmp_path: Path) -> None:
    """Our promise: whichever worker is met, an address is called the same."""
    texts: set[str] = set()
    (tmp_path / "upheld.toml").write_text("redact = true\n", "utf-8")
    with service(f"sqlite:///{tmp_path}/t.db", "--workers", "2", "--settings", str(tmp_path / "upheld.toml")) as there:
        there.start("--no-sample")
        for number in range(12):
            path = there.client.begin(f"talk{number}", {"id": "ann"})
            told = there.client.post(f"{path}/turns", {"speaker": "ann", "text": "Write to zoe.quill@example.org."})
            assert told.status == 201
            texts.add(there.client.get(f"{path}/turns").tree["turns"][0]["text"])
    assert len(texts) == 1
    assert "zoe" not in texts.pop()
