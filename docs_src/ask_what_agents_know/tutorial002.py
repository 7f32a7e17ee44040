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


shell("upheld believe mud.yaml 'C (m_a | m_b)' --at T1")
shell("upheld believe mud.yaml 'K_alice m_a' --at T1")
shell("upheld believe mud.yaml 'K_alice m_a' --at T1 --given 'm_a & ~m_b'")
shell("upheld believe mud.yaml 'K_alice m_a' --at T1 --given 'm_a & m_b'")
shell("upheld believe mud.yaml 'K_alice m_a & K_bob m_b'")
shell("upheld believe mud.yaml 'C (m_a & m_b)'")
shell("upheld believe mud.yaml '~m_a'")
