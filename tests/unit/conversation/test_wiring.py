"""Which adapter a name means."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from upheld.conversation.checking.readers import INTERPRETERS, has_local, interpreter_for, matcher
from upheld.conversation.wiring import is_address, opened_store, without_password
from upheld.errors import MalformedInput, StoreError, UnknownConversation, UpheldError
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.logic.language.turns import Turn
from upheld.record.ledger.entry import Words
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.testing.scripted_model import ScriptedModel

BARE = Transcript(id="bare", turns=(Turn(id=TurnId("T1"), speaker=AgentId("log"), text="GET / 200"),))


def test_an_address_means_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: three slashes and a relative path, four and an absolute one, or memory."""
    monkeypatch.chdir(tmp_path)
    for address, file in (("sqlite:///talk.db", "talk.db"), (f"sqlite:///{tmp_path}/far.db", "far.db")):
        with opened_store(address) as store:
            assert isinstance(store, SqliteStore)
        assert (tmp_path / file).exists()
        with opened_store(address, must_exist=True) as store:
            assert isinstance(store, SqliteStore)
    for address in ("ephemeral:", "ephemeral"):
        with opened_store(address) as store:
            assert isinstance(store, EphemeralStore)


@pytest.mark.parametrize("address", ["talk.db", "sqlite://talk.db", "sqlite:///", "mysql:///talk", ""])
def test_any_other_address_is_refused(address: str) -> None:
    """Our promise: said at once, and no file of an odd name is created."""
    with pytest.raises(StoreError, match="no address of a store"):
        opened_store(address)


def test_an_address_of_a_server_means_a_store_in_postgres(postgres: str, tenant: str) -> None:
    """Our promise: what must exist is not made, and one tenant's conversations are not another's."""
    with pytest.raises(UnknownConversation, match=f"no ledger of the tenant '{tenant}'"):
        opened_store(postgres, tenant=tenant, must_exist=True)
    with opened_store(postgres, tenant=tenant) as store:
        store.append(ConversationId("talk"), [Words(turn=TurnId("T1"), speaker=AgentId("ann"))])
    with opened_store(postgres, tenant=tenant, must_exist=True, is_read_only=True) as store:
        assert store.is_read_only
        assert store.conversations() == ("talk",)


def test_what_has_no_tenants_refuses_one(tmp_path: Path) -> None:
    """Our promise: a tenant is never ignored, for then two would share a file."""
    with pytest.raises(StoreError, match="has no tenants"):
        opened_store("ephemeral:", tenant="acme")


def test_a_tenant_has_a_file_of_its_own_beside_the_one_of_the_default_tenant(tmp_path: Path) -> None:
    """Our promise: a partition, never a filter; what must exist is not made, and no name leads out of the folder."""
    address = f"sqlite:///{tmp_path}/x.db"
    with pytest.raises(UnknownConversation):
        opened_store(address, tenant="acme", must_exist=True)
    assert list(tmp_path.iterdir()) == []
    with opened_store(address, tenant="acme") as ours, opened_store(address) as common:
        ours.append(ConversationId("talk"), [Words(turn=TurnId("T1"), speaker=AgentId("ann"))])
        assert common.conversations() == ()
    with opened_store(address, tenant="acme", must_exist=True) as again:
        assert again.conversations() == ("talk",)
    assert (tmp_path / "x.db.tenants" / "acme.db").is_file()
    with pytest.raises(MalformedInput, match="names no tenant"):
        opened_store(address, tenant="../x")
    with pytest.raises(StoreError, match="cannot be made"):
        opened_store(f"sqlite:///{tmp_path}/nowhere/x.db", tenant="acme")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("sqlite:///talk.db", "sqlite:///talk.db"),
        ("postgresql://ann@host:5432/db", "postgresql://ann@host:5432/db"),
        ("postgresql://ann:secret@host/db", "postgresql://ann:…@host/db"),
        ("postgres://ann:s/e@cret@host/db", "postgres://ann:…@host/db"),
        ("postgresql://host/db?user=ann&password=secret&sslmode=require", "postgresql://host/db?user=ann&password=…"),
        ("mysql://ann:secret@host/db", "mysql://ann:…@host/db"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    """Our promise: also one that is refused."""
    assert without_password(address).startswith(shown)
    assert "secret" not in without_password(address)
    assert is_address(address) is not address.startswith("mysql")
    if address.startswith("mysql"):
        with pytest.raises(StoreError) as caught:
            opened_store(address)
        assert "secret" not in str(caught.value)


def test_a_missing_driver_names_the_line_to_install(root: Path) -> None:
    """Our promise (MissingExtra): the message is the install line, and importing the package needs no driver."""
    program = (
        "import sys; sys.modules['psycopg'] = sys.modules['psycopg_pool'] = None\n"
        "from upheld.conversation.wiring import opened_store\n"
        "from upheld.errors import MissingExtra\n"
        "try: opened_store('postgresql://host/db')\n"
        "except MissingExtra as error: print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout == "a ledger in Postgres needs an optional part: pip install 'upheld[postgres]'\n"


def test_a_name_means_an_interpreter() -> None:
    """Our promise: every listed name is known, and another one is refused with the list."""
    llm = ScriptedModel([])
    names = [name for name in INTERPRETERS if name != "local" or has_local()]
    named = {name: interpreter_for(name, BARE, llm=llm).name for name in names}
    cheap = named.pop("local", "cues")
    assert cheap.startswith("trained(") is has_local()
    assert named == {
        "annotated": "annotated",
        "cues": "cues",
        "llm": f"llm({llm.name})",
        "mixed": f"{cheap}>llm({llm.name})",
    }
    with pytest.raises(UpheldError, match="one of annotated, cues, local, llm, mixed"):
        interpreter_for("oracle", BARE)


def test_a_reader_that_asks_a_language_model_needs_one() -> None:
    """Our promise: the error says what to name; nothing falls back to cues unseen."""
    for name in ("llm", "mixed"):
        with pytest.raises(UpheldError, match="--model, or UPHELD_MODEL"):
            interpreter_for(name, BARE)
        with pytest.raises(UpheldError, match="--model, or UPHELD_MODEL"):
            matcher(name)
    with pytest.raises(UpheldError, match="one of text, local, nli, llm, mixed"):
        matcher("oracle")


def test_a_matcher_that_asks_a_network_of_ones_own_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the error says what to set; nothing falls back to words unseen."""
    monkeypatch.delenv("UPHELD_NLI_PATH", raising=False)
    with pytest.raises(UpheldError, match="set UPHELD_NLI_PATH to a folder"):
        matcher("nli")


def test_an_interpreter_knows_who_is_a_tool() -> None:
    """Demanded by semantics, section 10: the agents given, else those of the file."""
    tool = Agent(id=AgentId("log"), kind=AgentKind.TOOL)
    for interpreter in (
        interpreter_for("cues", BARE, [tool]),
        interpreter_for("cues", Transcript(id="bare", turns=BARE.turns, agents=(tool,))),
    ):
        assert isinstance(interpreter, CueInterpreter)
        assert interpreter._kinds == {"log": AgentKind.TOOL}  # pyright: ignore[reportPrivateUsage]


def test_each_conversation_gets_a_matcher_of_its_own() -> None:
    """Our promise: it keeps an index, so it is never shared."""
    assert matcher() is not matcher()
