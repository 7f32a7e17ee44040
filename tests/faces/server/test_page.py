"""The page about the service: every curl line on it works, and every setting on it is one."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from upheld.faces.server.errors import SORTS, URN
from upheld.faces.server.settings import Settings

from .conftest import Answer, Client, Start

PAGE = Path("docs") / "how-to" / "run-the-service.md"
HERE = "http://127.0.0.1:8600"


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest) -> str:
    """Text of the page."""
    root = Path(__file__).resolve().parents[3]
    return (root / PAGE).read_text("utf-8")


def curls(page: str) -> list[list[str]]:
    """Arguments of each curl line that asks the service of the page."""
    blocks = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    commands = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    return [
        shlex.split(part.replace("\\\n", " "))[1:] for part in commands if part.startswith("curl ") and HERE in part
    ]


def asked(client: Client, arguments: list[str]) -> Answer:
    """Do what curl does with these arguments."""
    headers: dict[str, str] = {}
    body: bytes | None = None
    url = ""
    rest = iter(arguments)
    for each in rest:
        match each:
            case "-H":
                name, _, value = next(rest).partition(": ")
                headers[name.replace("-", "_")] = value
            case "-d":
                body = next(rest).encode()
            case _:
                url = each
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    return client.ask("GET" if body is None else "POST", path, body, **headers)


def test_every_curl_line_of_the_page_does_what_the_page_says(page: str, start: Start) -> None:
    """Our promise: the page is tried from its first line to its last, in that order."""
    client = start().client()
    lines = curls(page)
    assert len(lines) == 11
    answers = [asked(client, arguments) for arguments in lines if "-N" not in arguments]
    assert [told.status for told in answers] == [201, 201, 201, 200, 200, 201, 200, 200, 200, 200]
    assert answers[3].tree["outcome"] == "grounded"
    assert [each["id"] for each in answers[4].tree["delta"]["lost"]] == ["h1"]
    assert [each["id"] for each in answers[8].tree["hits"]] == ["o1"]
    (live,) = [arguments[-1] for arguments in lines if "-N" in arguments]
    with client.stream(live.removeprefix(HERE)) as events:
        assert next(events)["event"] == "opening"


def test_the_settings_of_the_page_are_the_defaults(page: str) -> None:
    """Our promise: what is shown loads, and says what holds when nothing is said."""
    (block,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    shown = tomllib.loads(block)
    settings = Settings.model_validate({**shown, "store": Settings().store})
    assert settings == Settings()
    assert set(Settings.model_fields) - set(shown) == {"host", "keys", "tenants", "sample"}


def test_every_sort_of_problem_is_in_the_table_with_its_status(page: str) -> None:
    """Our promise: a client may rely on what the page lists."""
    assert URN in page
    rows = dict(re.findall(r"^\| (\d{3}) \| (.*?) \|", page, re.MULTILINE))
    missing = [sort.slug for sort in SORTS.values() if f"`{sort.slug}`" not in rows.get(str(sort.status), "")]
    assert missing == ["refused"], "only what has no better name"
