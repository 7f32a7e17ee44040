"""The report as one HTML file."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from importlib import resources

from upheld.faces.report.contents import Report
from upheld.faces.report.payload import report_json

_STYLES = ("graph.css", "page.css")
_SCRIPTS = (
    "dom.js",
    "record.js",
    "layering.js",
    "neighbourhood.js",
    "transcript.js",
    "graph.js",
    "panel.js",
    "timeline.js",
    "page.js",
)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


def render_report(report: Report) -> str:
    """Write a report as a self-contained page: style, script and data inside, nothing fetched, nothing sent.

    The page's own policy lets the browser run exactly the script that was written here, known by its hash, so that
    no text of the conversation can become one.
    """
    script = _script()
    style = "\n".join(_source(name) for name in _STYLES)
    slots = {
        "policy": html.escape(_policy(script=script, style=style)),
        "title": html.escape(report.title or "Report"),
        "style": style,
        "data": report_json(report),
        "script": script,
    }
    # One pass over the template: what was filled in is never searched for slots again.
    return _SLOT.sub(lambda slot: slots[slot.group(1)], _source("page.html"))


def _script() -> str:
    parts = "\n".join(_source(name) for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\nopenReport();\n}})();\n'


def _policy(*, script: str, style: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _source(name: str) -> str:
    # A checkout may have turned line ends into CRLF, which a browser turns back before it takes the hash.
    return resources.files("upheld.faces.report").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")
