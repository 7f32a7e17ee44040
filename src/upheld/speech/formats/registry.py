"""The exports that are known: for each its name, how it is recognised, and how it is read.

Asked in this order, the more particular first; the first that recognises a file reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from upheld.speech.formats.agents.ag_ui import is_ag_ui, read_ag_ui
from upheld.speech.formats.agents.langfuse import is_langfuse, read_langfuse
from upheld.speech.formats.agents.langsmith import is_langsmith, read_langsmith
from upheld.speech.formats.agents.managed_agents import is_managed_agents, read_managed_agents
from upheld.speech.formats.agents.otlp import is_otlp, read_otlp
from upheld.speech.formats.agents.swe_agent import is_swe_agent, read_swe_agent
from upheld.speech.formats.agents.tau_bench import is_tau_bench, read_tau_bench
from upheld.speech.formats.agents.who_and_when import is_who_and_when, read_who_and_when
from upheld.speech.formats.apis.anthropic import is_anthropic, read_anthropic
from upheld.speech.formats.apis.openai import is_openai, read_openai
from upheld.speech.formats.apis.responses import is_responses, read_responses
from upheld.speech.formats.chats.chatgpt import is_chatgpt, read_chatgpt
from upheld.speech.formats.chats.claude import is_claude, read_claude
from upheld.speech.formats.chats.discord import is_discord, read_discord
from upheld.speech.formats.chats.gemini import is_gemini, read_gemini
from upheld.speech.formats.chats.sharegpt import is_sharegpt, read_sharegpt
from upheld.speech.formats.chats.slack import is_slack, read_slack
from upheld.speech.formats.chats.telegram import is_telegram, read_telegram
from upheld.speech.formats.chats.whatsapp import is_whatsapp, read_whatsapp
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Archive, Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import text
from upheld.speech.formats.transcript import Transcript

Sniff = Callable[[Head], bool]
Read = Callable[[Source, Head, Tally], Iterator[Transcript]]
ReadArchive = Callable[[Archive, Tally], Iterator[Transcript]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A form that other programs write: its name, whether a file's beginning is one, and its conversations.

    ``read_archive`` reads a form that is a whole folder; all others are read file by file.
    """

    name: str
    sniff: Sniff
    read: Read | None = None
    read_archive: ReadArchive | None = None


EXPORTS: tuple[Export, ...] = (
    Export(name="slack", sniff=is_slack, read_archive=read_slack),
    Export(name="otlp", sniff=is_otlp, read=read_otlp),
    Export(name="langsmith", sniff=is_langsmith, read=read_langsmith),
    Export(name="langfuse", sniff=is_langfuse, read=read_langfuse),
    Export(name="managed-agents", sniff=is_managed_agents, read=read_managed_agents),
    Export(name="ag-ui", sniff=is_ag_ui, read=read_ag_ui),
    Export(name="swe-agent", sniff=is_swe_agent, read=read_swe_agent),
    Export(name="tau-bench", sniff=is_tau_bench, read=read_tau_bench),
    Export(name="who-and-when", sniff=is_who_and_when, read=read_who_and_when),
    Export(name="chatgpt", sniff=is_chatgpt, read=read_chatgpt),
    Export(name="claude", sniff=is_claude, read=read_claude),
    Export(name="gemini", sniff=is_gemini, read=read_gemini),
    Export(name="discord", sniff=is_discord, read=read_discord),
    Export(name="telegram", sniff=is_telegram, read=read_telegram),
    Export(name="sharegpt", sniff=is_sharegpt, read=read_sharegpt),
    Export(name="responses", sniff=is_responses, read=read_responses),
    Export(name="anthropic", sniff=is_anthropic, read=read_anthropic),
    Export(name="openai", sniff=is_openai, read=read_openai),
    Export(name="whatsapp", sniff=is_whatsapp, read=read_whatsapp),
)

NAMES = tuple(export.name for export in EXPORTS)
"""Names of all exports, as ``--form`` takes them."""


def export_of(head: Head) -> Export | None:
    """Give the export that a file is, by its beginning; ``None`` for any other file."""
    if text(head.tree.get("format")).startswith("upheld/"):
        return None
    return next((export for export in EXPORTS if export.sniff(head)), None)


def export_named(name: str) -> Export | None:
    """Give the export of a name, if there is one."""
    return next((export for export in EXPORTS if export.name == name), None)
