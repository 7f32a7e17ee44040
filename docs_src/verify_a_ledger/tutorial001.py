import contextlib
import re
import shlex
import shutil
import sqlite3
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from upheld.faces.cli import app

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "checkout-outage.json"


def shell(line: str, **known: str) -> str:
    """Run a command as it would be typed; hashes are shown as dots, since they differ each time."""
    ended = CliRunner().invoke(app, shlex.split(line.format(**known))[1:])
    print("$", line.format(**dict.fromkeys(known, "33:…")))
    print(re.sub("[0-9a-f]{64}", "…", ended.output) + f"(status {ended.exit_code})\n")
    return ended.output.strip()


def edit(name: str, *statements: str) -> None:
    """Change the file as somebody would who has another program."""
    with contextlib.closing(sqlite3.connect(name)) as connection, connection:
        for statement in statements:
            print("(edited)", statement)
            connection.execute(statement)


with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    shutil.copy(EXAMPLE, "talk.json")
    shell("upheld convert talk.json --to sqlite:///incident.db#night")
    shell("upheld ledger verify incident.db")
    head = shell("upheld ledger head sqlite:///incident.db#night")

    shutil.copy("incident.db", "cut.db")
    edit(
        "cut.db",
        "DELETE FROM entries WHERE epoch > 20",
        "DELETE FROM contents WHERE epoch > 20",
        "UPDATE heads SET epoch = 20, chain = (SELECT chain FROM entries WHERE epoch = 20)",
    )
    shell("upheld ledger verify cut.db")
    shell("upheld ledger verify cut.db --head {head}", head=head)

    shell("upheld ledger erase incident.db --turn T4 --by ana --reason 'asked for by the speaker'")
    shell("upheld ledger verify incident.db --head {head}", head=head)

    edit("incident.db", "UPDATE contents SET body = replace(body, 'Redis', 'Kafka') WHERE epoch = 14")
    shell("upheld ledger verify incident.db")
    shell("upheld ledger verify elsewhere.db")
