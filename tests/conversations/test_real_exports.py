"""Real samples of exports: how many conversations and turns, who speaks, and the first and the last words.

They were written by others and are read where they lie (``UPHELD_SHARED``); see the README of each folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from upheld.speech.formats.reading import read_transcripts

SHARED = Path(os.environ.get("UPHELD_SHARED", Path(__file__).parents[3] / "shared")) / "data"


@dataclass(frozen=True, slots=True)
class Sample:
    """A file, and what is in it: all turns, and of one conversation its id, speakers, first and last words."""

    file: str
    form: str
    conversations: int
    turns: int
    id: str
    speakers: str
    first: str
    last: str
    left_out: str = ""


SAMPLES = [
    Sample(
        "export_formats/chatgpt_export_bot_knows.json",
        "chatgpt",
        2,
        6,
        "abc123-def456",
        "user:person assistant:assistant",
        "which italian singer is singing United Europe",
        "for simple parallelism, `wait` for more control.",
        "",
    ),
    Sample(
        "export_formats/chatpack_discord_export.json",
        "discord",
        1,
        7,
        "987654321",
        "alice:person bob:person",
        "Hello! How are you?",
        "And this one is from March",
        "",
    ),
    Sample(
        "export_formats/chatpack_telegram_export.json",
        "telegram",
        1,
        7,
        "123456789",
        "alice:person bob:person",
        "Hello! How are you?",
        "And this one is from March",
        "",
    ),
    Sample(
        "export_formats/chatpack_whatsapp_export.txt",
        "whatsapp",
        1,
        7,
        "1",
        "alice:person bob:person",
        "Hello! How are you?",
        "And this one is from March",
        "",
    ),
    Sample(
        "export_formats/claude_export_bot_knows.json",
        "claude",
        1,
        4,
        "conv-claude-001",
        "user:person assistant:assistant",
        "I need help designing a database schema for a bl",
        "lows writes. Add based on actual query patterns.",
        "",
    ),
    Sample(
        "export_formats/js_anthropic_managed_builtin_tools.jsonl",
        "managed-agents",
        1,
        5,
        "sesn_01UunETy25dNCWyPpkXe27t5",
        "system:tool user:person assistant:assistant bash:tool",
        "You are a helpful coding assistant. Write clean,",
        "time is:\n\n**Monday, July 6, 2026, 16:26:37 UTC**",
        "4 session event, 4 span event",
    ),
    Sample(
        "export_formats/js_anthropic_managed_custom_tools.jsonl",
        "managed-agents",
        1,
        5,
        "sesn_014fc5Q6rWwrXD3vWBfPRUes",
        "system:tool user:person assistant:assistant get_weather:tool",
        "You are a helpful coding assistant. Write clean,",
        "nd sunny** in Prague — a nice, warm day overall!",
        "8 session event, 4 span event",
    ),
    Sample(
        "export_formats/js_anthropic_managed_mcp_tools.jsonl",
        "managed-agents",
        1,
        5,
        "sesn_01FYL2vWeckHzjuCjjpAudtE",
        "system:tool user:person assistant:assistant web_search_exa:tool",
        "Uses Exa's MCP to answer questions about the Lan",
        "s) also has ~246\u2013253 forks and 90+ contributors.",
        "2 reasoning, 8 session event, 4 span event, 1 user.tool_confirmation event",
    ),
    Sample(
        "export_formats/js_anthropic_managed_mcp_tools_reject.jsonl",
        "managed-agents",
        1,
        10,
        "sesn_01KW5vhbxfVqMHgLH2dWKbJG",
        "system:tool user:person assistant:assistant web_search_exa:tool web_fetch:tool",
        "Uses Exa's MCP to answer questions about the Lan",
        ":\n- ⭐ Stars: 894\n- 🍴 Forks: 234\n- 👀 Watchers: 12",
        "1 reasoning, 8 session event, 6 span event",
    ),
    Sample(
        "export_formats/js_langsmith_js_wrap_openai_default.json",
        "langsmith",
        1,
        2,
        "dc34609e-3eeb-459d-bc2a-6fedb01d2e6e",
        "user:person assistant:assistant",
        "howdy",
        "Howdy! How can I assist you today?",
        "",
    ),
    Sample(
        "export_formats/js_langsmith_js_wrap_openai_reasoning.json",
        "langsmith",
        1,
        2,
        "e954b8e3-c337-4a05-bf0a-ca2baac3ba48",
        "user:person assistant:assistant",
        "Write a bash script that takes a matrix represen",
        "ore complex scenarios or additional validations!",
        "",
    ),
    Sample(
        "export_formats/js_langsmith_js_wrap_openai_stream.json",
        "langsmith",
        1,
        2,
        "33c08c32-435c-4788-b973-b5bee4a31f87",
        "user:person assistant:assistant",
        "howdy",
        "Howdy! How can I assist you today?",
        "",
    ),
    Sample(
        "export_formats/js_langsmith_js_wrap_openai_stream_no_usage.json",
        "langsmith",
        1,
        2,
        "a9a7fdab-0e16-4153-898a-33a0c1d9f759",
        "user:person assistant:assistant",
        "howdy",
        "Howdy! How can I assist you today?",
        "",
    ),
    Sample(
        "export_formats/py_langsmith_py_wrap_openai_.json",
        "langsmith",
        1,
        2,
        "d0d84d31-923d-4cb5-94a8-40a0a0087578",
        "user:person assistant:assistant",
        "howdy",
        "Howdy! How can I assist you today?",
        "",
    ),
    Sample(
        "export_formats/py_langsmith_py_wrap_openai_reasoning.json",
        "langsmith",
        1,
        2,
        "a8b34ded-ccd2-4fb7-bccb-9cd625066a14",
        "user:person assistant:assistant",
        "Write a bash script that takes a matrix represen",
        "enhance the script based on your specific needs!",
        "",
    ),
    Sample(
        "export_formats/py_langsmith_py_wrap_openai_stream.json",
        "langsmith",
        1,
        2,
        "fe8ffecb-72ce-4cd2-bdb7-01f34654c391",
        "user:person assistant:assistant",
        "howdy",
        "Howdy! How can I assist you today?",
        "",
    ),
    Sample(
        "export_formats/py_langsmith_py_wrap_openai_stream_no_usage.json",
        "langsmith",
        1,
        2,
        "de56b9f0-eed2-4195-8786-c6dc0fa897e3",
        "user:person assistant:assistant",
        "howdy",
        "Howdy! How can I assist you today?",
        "",
    ),
    Sample(
        "export_formats/refinery_langfuse_trace.json",
        "langfuse",
        1,
        6,
        "trace-123",
        "system:tool assistant:assistant tool_call:tool user:person",
        "You are helpful",
        "nested response",
        "1 event observation, 1 span observation",
    ),
    Sample(
        "export_formats/refinery_otlp_trace_full_spec.json",
        "otlp",
        1,
        6,
        "fullspec123",
        "system:tool user:person assistant:assistant",
        "You are an expert software engineer with deep kn",
        " this Redis implementation for potential issues.",
        "",
    ),
    Sample(
        "export_formats/refinery_otlp_trace_honeycomb.json",
        "otlp",
        1,
        2,
        "def456",
        "system:tool assistant:assistant",
        "You are a helpful assistant.",
        "I'm ready to help!",
        "3 span without words",
    ),
    Sample(
        "export_formats/refinery_otlp_trace_tempo.json",
        "otlp",
        1,
        3,
        "abc123",
        "user:person assistant:assistant",
        "Hello",
        'rguments": {"operation": "add", "a": 5, "b": 3}}',
        "1 span without words",
    ),
    Sample(
        "export_formats/sharegpt_fastchat_dummy_conversation.json",
        "sharegpt",
        500,
        2000,
        "identity_0",
        "user:person assistant:assistant",
        "Who are you?",
        "You too!",
        "",
    ),
    Sample(
        "export_formats/slack_export_viewer_testarchive.zip",
        "slack",
        2,
        147,
        "enrique",
        "hamza:person abilinski:person b0jl6rasu:assistant heroeshannibal:person doubledeez:person b0vjzkvhc:assistant",
        "@abilinski: Created an issue for a setup.py so t",
        "624bf1b21e3da039cb1): Add 200 cities pd - hfaran",
        "4 attachment, 3 bot_add, 8 channel_join, 8 preview, 1 reaction",
    ),
    Sample(
        "swe_agent/function_calling_simple.traj",
        "swe-agent",
        1,
        12,
        "1",
        "system:tool user:person assistant:assistant find_file:tool open:tool edit:tool bash:tool submit:tool",
        "SETTING: You are an autonomous programmer, and y",
        "Current directory: /SWE-agent__test-repo)\nbash-$",
        "5 reasoning",
    ),
    Sample(
        "swe_agent/human_thought__swe-bench-HumanEvalFix-python__lcb__t-0.00__p-0.95__c-4.00__install-0__humanevalfix-python-0.traj",
        "swe-agent",
        1,
        11,
        "1",
        "system:tool user:person assistant:assistant shell:tool",
        "SETTING: You are an autonomous programmer, and y",
        'e": "shell", "arguments": {"command": "submit"}}',
        "5 reasoning",
    ),
    Sample(
        "swe_agent/replay__marshmallow-code__marshmallow-1867__default_sys-env_window100__t-0.20__p-0.95__c-2.00__install-1__marshmallow-code__marshmallow-1867.traj",
        "swe-agent",
        1,
        23,
        "1",
        "system:tool user:person assistant:assistant shell:tool",
        "SETTING: You are an autonomous programmer, and y",
        'e": "shell", "arguments": {"command": "submit"}}',
        "11 reasoning",
    ),
    Sample(
        "swe_agent/replay__marshmallow-code__marshmallow-1867__xml_sys-env_window100__t-0.20__p-0.95__c-2.00__install-1__marshmallow-code__marshmallow-1867.traj",
        "swe-agent",
        1,
        23,
        "1",
        "system:tool user:person assistant:assistant shell:tool",
        "SETTING: You are an autonomous programmer, and y",
        'e": "shell", "arguments": {"command": "submit"}}',
        "11 reasoning",
    ),
    Sample(
        "tau_bench/MockAirlineDomainEnv-few_shot.jsonl",
        "tau-bench",
        19,
        359,
        "1",
        "user:person assistant:assistant tool:tool",
        "Hi, I need to cancel my flights from MCO to CLT,",
        "Transfer successful",
        "104 empty message",
    ),
    Sample(
        "tau_bench/gpt-4o-airline-trial0.json",
        "tau-bench",
        50,
        1382,
        "0-0",
        "system:tool user:person assistant:assistant get_user_details:tool search_direct_flight:tool search_onestop_flight:tool calculate:tool book_reservation:tool",  # noqa: E501
        "# Airline Agent Policy\n\nThe current time is 2024",
        "Thank you so much for your help! ###STOP###",
        "24 empty message",
    ),
    Sample(
        "who_and_when/who_and_when_algorithm_generated_slice.jsonl",
        "who-and-when",
        70,
        579,
        "0bb3b44a-ede5-4db5-a520-4e844b0079c5",
        "mesopotamian_number_systems_expert:assistant",
        "You are given: (1) a task and advises from your ",
        "TERMINATE",
        "1 empty message",
    ),
]


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no data under {SHARED}: set UPHELD_SHARED")
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file)
def test_a_real_sample_says_what_is_in_it(sample: Sample) -> None:
    """Our promise (docs/reference/formats.md): files as other programs really write them."""
    transcripts = read_transcripts(SHARED / sample.file)
    found = {each.id: each for each in transcripts}
    assert (transcripts.form, len(found)) == (sample.form, sample.conversations)
    assert sum(len(each.turns) for each in found.values()) == sample.turns
    one = found[sample.id]
    assert " ".join(f"{agent.id}:{agent.kind.value}" for agent in one.agents) == sample.speakers
    assert one.turns[0].text.startswith(sample.first)
    assert one.turns[-1].text.rstrip().endswith(sample.last)
    counted = ", ".join(f"{count} {kind}" for kind, count in sorted(transcripts.left_out.items()))
    assert counted == sample.left_out
    assert transcripts.damaged == []
