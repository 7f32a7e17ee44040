"""Settings of the gateway: from a program, a tree, the environment."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput
from upheld.speech.models.settings import GatewaySettings, settings_from, settings_of


def test_the_environment_gives_settings() -> None:
    """The issue, section 1: three variables are enough."""
    environment = {
        "UPHELD_MODEL": "qwen3:8b",
        "UPHELD_BASE_URL": "http://localhost:11434/v1",
        "UPHELD_API_KEY": "",
        "UPHELD_MODEL_TIMEOUT": "12.5",
        "UPHELD_MODEL_RETRIES": "2",
        "UPHELD_EXAMPLES": "1",
        "PATH": "/bin",
    }
    expected = GatewaySettings(name="qwen3:8b", base_url="http://localhost:11434/v1", timeout=12.5, retries=2)
    assert settings_from(environment) == expected
    assert settings_from({}) == GatewaySettings()


@pytest.mark.parametrize("variable", ["UPHELD_MODEL_NAME", "UPHELD_BASE_URI", "UPHELD_API_KEYS"])
def test_a_variable_that_is_misspelt_is_refused(variable: str) -> None:
    """C-37 (graphiti #1746): an unknown setting raises, and the known ones are listed."""
    with pytest.raises(MalformedInput, match=f"{variable}.*UPHELD_BASE_URL"):
        settings_from({variable: "x"})


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"nmae": "x"}, "nmae"),
        ({"name": 3}, "name"),
        ({"timeout": "soon"}, "timeout"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"deadline": float("inf")}, "deadline"),
        ({"deadline": "nan"}, "deadline"),
        ({"retries": 1.5}, "retries"),
        ({"retries": -1}, "retries"),
        ({"retries": None}, "retries"),
        ({"base_url": "localhost:8000"}, "base_url"),
        ({"base_url": "file:///etc/passwd"}, "base_url"),
    ],
)
def test_a_setting_that_means_nothing_is_refused_by_name(given: dict[str, object], key: str) -> None:
    """C-37: a setting is taken, or it is refused; it is never ignored."""
    with pytest.raises(MalformedInput) as caught:
        settings_of(given)
    assert caught.value.key == key


@pytest.mark.parametrize("address", ["http://user:hidden@host/v1", "http://host/v1?api_key=hidden"])
def test_an_address_that_carries_a_key_is_refused_without_saying_it(address: str) -> None:
    """Our promise: an address is logged on its way, so no key may stand in it."""
    with pytest.raises(MalformedInput) as caught:
        settings_of({"base_url": address})
    assert "hidden" not in str(caught.value)


def test_a_key_is_in_no_repr() -> None:
    """Our promise: settings can be printed."""
    assert "hidden" not in repr(settings_of({"api_key": "hidden"}))
