"""Settings and keys: where they come from, and what is refused before anybody listens."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from upheld.errors import MalformedInput, UpheldError
from upheld.faces.server.admission.buckets import Buckets
from upheld.faces.server.admission.keys import Key, Keyring, Role, digest_of, new_key
from upheld.faces.server.house import opened_house
from upheld.faces.server.settings import PORT, Settings, is_loopback, settings_from
from upheld.faces.service.running import listening

NOTHING: Mapping[str, str] = {}


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    """Our promise (docs/how-to/run-the-service.md): the nearer to whoever starts it, the stronger."""
    file = tmp_path / "upheld.toml"
    file.write_text('store = "sqlite:///file.db"\nport = 1\nmost_live = 3\norigins = ["https://a.example"]\n', "utf-8")
    environment = {
        "UPHELD_STORE": "sqlite:///environment.db",
        "UPHELD_PORT": "2",
        "UPHELD_REDACT": "true",
        "UPHELD_MODEL": "no setting of the service",
    }
    found = settings_from(file, environment=environment, flags={"port": 3, "host": None})
    assert (found.store, found.port, found.most_live, found.redact) == ("sqlite:///environment.db", 3, 3, True)
    assert found.origins == ("https://a.example",)
    assert settings_from(environment={"UPHELD_ORIGINS": "https://a.example,https://b.example"}).origins[1:] == (
        "https://b.example",
    )
    assert settings_from(environment=NOTHING) == Settings()
    assert Settings().port == PORT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stor = 1", r"stor: unknown setting; one of store, host, port, "),
        ("port = 70000", "port: Input should be less than or equal to 65535"),
        ('interpreter = "oracle"', "interpreter: Input should be 'none', 'cues'"),
        ("port =", "the settings cannot be read"),
        ('host = "0.0.0.0"', "host: without keys anybody who reaches 0.0.0.0 could read and write"),
        ("tenants = true", "tenants: a tenant is told from its key"),
        ('tenants = true\nstore = "ephemeral:"', "store: memory has no tenants"),
    ],
)
def test_a_setting_that_is_none_or_opens_too_much_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """Our promise: the file, the key and the known ones are named."""
    file = tmp_path / "upheld.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(MalformedInput, match=message):
        settings_from(file, environment=NOTHING)
    with pytest.raises(MalformedInput, match="cannot be read"):
        settings_from(tmp_path / "nowhere.toml", environment=NOTHING)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_only_names_of_this_machine_are_loopback(host: str, expected: bool) -> None:
    """Our promise: nothing is looked up, so that no name server decides."""
    assert is_loopback(host) is expected


def test_a_key_opens_what_its_line_says_and_its_line_does_not_tell_the_key(tmp_path: Path) -> None:
    """Our promise: the file holds a digest; the tenant in the text decides nothing."""
    made = new_key("ac_me-1", Role.WRITER, entropy=lambda count: "5" * count)
    assert made.text == "upheld_ac_me-1_" + "5" * 32
    assert "5555" not in made.line
    file = tmp_path / "keys.toml"
    file.write_text(f"[keys]\n{made.line}\n", "utf-8")
    ring = Keyring.read(file)
    assert ring.find(made.text) == Key(digest=digest_of(made.text), tenant="ac_me-1", role=Role.WRITER)
    assert ring.find(made.text.replace("ac_me-1", "globex")) is None
    assert new_key("acme", Role.READER).text != new_key("acme", Role.READER).text
    with pytest.raises(MalformedInput, match="names no tenant"):
        new_key("Acme", Role.READER)


def test_roles_include_those_before_them() -> None:
    """Our promise: an admin may write, a writer may read, and never the other way round."""
    order = [Role.READER, Role.WRITER, Role.ADMIN]
    assert [[one.includes(other) for other in order] for one in order] == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[keys]",
        "keys = 5",
        "[keys",
        '[keys]\nabc = { tenant = "acme", role = "reader" }',
        f'[keys]\n{"a" * 64} = {{ tenant = "acme" }}',
        f'[keys]\n{"a" * 64} = {{ tenant = "acme", role = "king" }}',
        f'[keys]\n{"a" * 64} = {{ tenant = "A/b", role = "reader" }}',
        f'[keys]\n{"a" * 64} = {{ tenant = "acme", role = "reader", key = "x" }}',
        f'[keys]\n{"a" * 64} = "reader"',
    ],
)
def test_a_file_of_keys_that_is_none_is_refused_and_not_quoted(tmp_path: Path, text: str) -> None:
    """Our promise: a broken file opens nothing, and is not repeated in a message."""
    file = tmp_path / "keys.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(MalformedInput) as caught:
        Keyring.read(file)
    assert "aaaa" not in str(caught.value)


def test_what_the_settings_name_is_opened_at_the_start_or_refused(tmp_path: Path) -> None:
    """Our promise: a wrong setting is told when the service starts, and not with the first turn."""
    file = tmp_path / "keys.toml"
    file.write_text(f"[keys]\n{new_key('acme', Role.READER).line}\n", "utf-8")
    store = f"sqlite:///{tmp_path}/t.db"
    with pytest.raises(MalformedInput, match="there are keys of acme, and no tenants"):
        opened_house(Settings(store=store, keys=file))
    with pytest.raises(UpheldError, match="asks a language model, and none is named"):
        opened_house(Settings(store=store, interpreter="llm"))
    with pytest.raises(UpheldError, match="is no address of a store"):
        opened_house(Settings(store="nothing"))
    house = opened_house(Settings(store=store, keys=file, tenants=True, interpreter="none", redact=True))
    assert house.equipment.reader().interpreter is None
    assert house.equipment.reader().redactor is not None
    house.close()
    house.close()


def test_an_address_that_is_taken_is_told_on_one_line() -> None:
    """Our promise: no trace for what a person can mend."""
    with listening("127.0.0.1", 0) as taken, pytest.raises(UpheldError, match=r"cannot listen on 127\.0\.0\.1:"):
        listening("127.0.0.1", taken.getsockname()[1])


def test_a_bucket_fills_evenly_and_holds_no_more_than_a_minute() -> None:
    """Our promise: so many a minute, all at once or evenly, and never more."""
    now = 0.0
    buckets = Buckets(60, clock=lambda: now)
    assert [buckets.wait("a") for _ in range(60)] == [0.0] * 60
    assert buckets.wait("a") == pytest.approx(1.0)
    assert buckets.wait("b") == 0.0
    now = 0.5
    assert buckets.wait("a") == pytest.approx(0.5)
    now = 1.0
    assert (buckets.wait("a"), buckets.wait("a")) == (0.0, pytest.approx(1.0))
    now = 1e6
    assert [buckets.wait("a") for _ in range(61)][59:] == [0.0, pytest.approx(1.0)]
    assert Buckets(0).wait("a") == 0.0
