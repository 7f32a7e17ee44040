"""Where the service writes what it does: standard error, a line each, and nothing of what was said."""

from __future__ import annotations

import logging
import sys

_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


def write_logs(*, is_quiet: bool = False) -> None:
    """Send the service's own lines, and the server's warnings, to standard error; quiet leaves out the requests."""
    to_errors = logging.StreamHandler(sys.stderr)
    to_errors.setFormatter(logging.Formatter(_FORM))
    levels = {"upheld.server": logging.WARNING if is_quiet else logging.INFO, "uvicorn": logging.WARNING}
    for name, level in levels.items():
        log = logging.getLogger(name)
        log.setLevel(level)
        log.handlers = [to_errors]
        log.propagate = False
