"""Where the service writes what it does: standard error, a line each, and nothing of what was said."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Literal

LogForm = Literal["text", "json"]

FIELDS = "upheld_fields"
"""Name in a log record of the fields that its line is made of."""

_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"
_REQUEST: ContextVar[str] = ContextVar("upheld_request", default="")

_Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def write_logs(*, form: LogForm = "text", is_quiet: bool = False) -> None:
    """Send the service's own lines, and the server's warnings, to standard error; quiet leaves out the requests."""
    to_errors = logging.StreamHandler(sys.stderr)
    to_errors.setFormatter(JsonLines() if form == "json" else TextLines(_FORM))
    levels = {
        "upheld.server": logging.WARNING if is_quiet else logging.INFO,
        "uvicorn": logging.WARNING,
        "opentelemetry": logging.WARNING,
    }
    for name, level in levels.items():
        log = logging.getLogger(name)
        log.setLevel(level)
        log.handlers = [to_errors]
        log.propagate = False


@contextmanager
def known_as(request: str) -> Generator[None]:
    """Let every line that is written meanwhile name this request, on whatever thread."""
    token = _REQUEST.set(request)
    try:
        yield
    finally:
        _REQUEST.reset(token)


class TextLines(logging.Formatter):
    """Lines for people. Of an exception the places are written and its kind, for its words may quote somebody."""

    def formatException(self, ei: _Raised) -> str:  # noqa: N802 - the standard library's name
        """Give where it was raised and passed through, and what kind it is."""
        return raised(ei)


class JsonLines(TextLines):
    """Lines for programs: a JSON object each, with the request that it belongs to; times are in UTC."""

    converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        """Give one record as one line."""
        told: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}Z",
            "level": record.levelname,
            "logger": record.name,
        }
        fields: Mapping[str, object] | None = getattr(record, FIELDS, None)
        told |= fields if fields is not None else {"message": record.getMessage()}
        if _REQUEST.get():
            told.setdefault("request_id", _REQUEST.get())
        if record.exc_info:
            told["raised"] = raised(record.exc_info)
        return json.dumps(told)


def raised(ei: _Raised) -> str:
    """Give an exception as it may be written down: places and kinds, that of its cause first, and no message."""
    kind, error, trace = ei
    if kind is None or error is None:
        return ""
    before = error.__cause__ or error.__context__
    earlier = f"{raised((type(before), before, before.__traceback__))}\n" if before is not None else ""
    return f"{earlier}{''.join(traceback.format_tb(trace))}{kind.__name__}"
