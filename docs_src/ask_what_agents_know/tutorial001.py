import shlex
from pathlib import Path

from typer.testing import CliRunner

from upheld.faces.cli import app

TRANSCRIPT = Path(__file__).with_suffix(".yaml")


def shell(line: str) -> None:
    """Run a command as it would be typed, on the transcript beside this file."""
    words = [str(TRANSCRIPT) if word.endswith(".yaml") else word for word in shlex.split(line)]
    ended = CliRunner().invoke(app, words[1:])
    print(f"$ {line}\n{ended.output}(status {ended.exit_code})\n")


shell("upheld believe lamp.yaml h1 --at T2 --agent carol")
shell("upheld believe lamp.yaml o2 --at T3 --agent carol")
shell("upheld believe lamp.yaml 'K_alice K_bob o2' --at T3")
shell("upheld believe lamp.yaml 'C_{alice,bob} o2 & ~C o2' --at T3")
shell("upheld believe lamp.yaml 'B_carol ~K_bob o2' --at T3")
shell("upheld believe lamp.yaml 'K_carol ~K_bob o2' --at T3")
shell("upheld believe lamp.yaml 'D_{bob,carol} o2' --at T3")
shell("upheld believe lamp.yaml 'K_dave o1'")
