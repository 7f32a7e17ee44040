"""Transcripts as text: annotated as YAML or JSON, or the bare words as chat or text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from upheld.errors import MalformedInput
from upheld.speech.formats.annotated import plain_annotated
from upheld.speech.formats.plain.chat import plain_chat
from upheld.speech.formats.plain.spoken import plain_spoken
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writers.ag_ui import plain_ag_ui
from upheld.speech.formats.writers.chats import plain_anthropic, plain_openai, plain_sharegpt
from upheld.speech.formats.writers.otlp import plain_otlp
from upheld.speech.formats.writers.responses import plain_responses

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def write_transcript(transcript: Transcript, *, form: str = "yaml") -> str:
    """Give a transcript as text that reads back as the same transcript.

    ``form`` is ``yaml`` or ``json`` (everything), ``chat``, ``jsonl`` or ``text`` (the words only: who said what), or
    ``openai``, ``responses``, ``anthropic``, ``sharegpt``, ``ag-ui`` or ``otlp`` (the words, with calls and results of
    tools as those have them; what each cannot hold is said in :mod:`upheld.speech.formats.writers`).

    Raises:
        MalformedInput: there is no such form.
    """
    if form not in _WRITERS:
        raise MalformedInput(f"{form!r} is no form; one of {', '.join(_WRITERS)}")
    return _WRITERS[form](transcript)


def _yaml(transcript: Transcript) -> str:
    tree = plain_annotated(transcript)
    return yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=4096)


def _json(tree: object, *, indent: int | None = 1) -> str:
    return json.dumps(tree, ensure_ascii=False, indent=indent)


def _lines(trees: Iterable[object]) -> str:
    return "".join(_json(tree, indent=None) + "\n" for tree in trees)


_WRITERS: dict[str, Callable[[Transcript], str]] = {
    "yaml": _yaml,
    "json": lambda transcript: _json(plain_annotated(transcript)) + "\n",
    "chat": lambda transcript: _json(plain_chat(transcript)) + "\n",
    "jsonl": lambda transcript: _lines(plain_chat(transcript)),
    "text": plain_spoken,
    "openai": lambda transcript: _json(plain_openai(transcript)) + "\n",
    "responses": lambda transcript: _json(plain_responses(transcript)) + "\n",
    "anthropic": lambda transcript: _json(plain_anthropic(transcript)) + "\n",
    "sharegpt": lambda transcript: _json(plain_sharegpt(transcript)) + "\n",
    "ag-ui": lambda transcript: _lines(plain_ag_ui(transcript)),
    "otlp": lambda transcript: _json(plain_otlp(transcript)) + "\n",
}
