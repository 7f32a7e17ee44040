"""The command line: what did somebody type?"""

from upheld.errors import MissingExtra

try:
    from upheld.faces.cli.program import app, main
except ModuleNotFoundError as error:
    if error.name not in {"typer", "rich"}:
        raise
    raise MissingExtra("cli", needed_for="the command line") from error

__all__ = ["app", "main"]
