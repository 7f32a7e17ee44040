import contextlib
import shlex
from pathlib import Path

from typer.testing import CliRunner

from upheld.faces.cli import app

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "frameworks"


def shell(line: str, *, why: str) -> None:
    """Run a command as it would be typed, and show what it prints and its status."""
    ended = CliRunner().invoke(app, shlex.split(line)[1:])
    print(f"# {why}\n$ {line}\n{ended.output}(status {ended.exit_code})\n")


with contextlib.chdir(EXAMPLES):
    shell("upheld af solve -p SE-PR -f rollback.af", why="some preferred extension")
    shell("upheld af solve -p DC-ST -f rollback.af -a 1", why="is 1 in some stable extension? in this one")
    shell("upheld af solve -p DS-PR -f rollback.af -a 1", why="is 1 in every preferred extension? not in this one")
    shell("upheld af solve -p EE-PR -f rollback.apx -fo apx", why="every preferred extension")
    shell("upheld af solve -p EE-ST -f three-reports.tgf -fo tgf", why="there is no stable extension at all")
    shell(
        "upheld af solve -p DS-PR -f rollback.apx -a rollback -m rollback.apxm",
        why="one answer, and one more after each of three edits",
    )
    shell("upheld af solve -p SE-PR -f rollback.af --conflicts 0", why="no effort allowed: nothing unproved is printed")
    shell("upheld af solve -p SE-PR -f rollback.af --conflicts 0 --anytime", why="the best set found, and called that")
    shell("upheld af convert three-reports.tgf - --to af", why="numbers stand for names")
    shell("upheld af why rollback.apx -a snapshot", why="in: derived down to what nothing attacks")
    shell("upheld af why three-reports.tgf -a mail", why="open: down to the circle that keeps it so")
    shell("upheld af why rollback.apx -a rollback --semantics preferred", why="an extension without it")
