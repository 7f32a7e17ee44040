"""The description of the whole service as a file: ``python -m upheld.faces.service.description FILE``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from upheld.faces.server.settings import Settings
from upheld.faces.service.app import service_app


def description() -> str:
    """Give the description of the service as it is without settings, as JSON that ends with a line break."""
    return json.dumps(service_app(Settings()).openapi(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main(arguments: list[str]) -> None:
    """Write the description into the file that is named."""
    (path,) = arguments
    Path(path).write_text(description(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
