"""C-46: a line on standard output that is no message ends a session over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
pytest.importorskip("typer", reason="the extra 'cli' is not installed")

PLUG_IN = """
import atexit, logging, os, subprocess, sys, threading

logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
atexit.register(print, "plug-in: goodbye")

class Watching:
    def find_spec(self, name, *rest):
        if name == "mcp":
            print("plug-in: an import", flush=True)

sys.meta_path.insert(0, Watching())

import upheld.conversation.hosting.host as hosting

before = hosting.Host.entered

def noisy(self, *arguments, **more):
    print("plug-in: entering")
    print("plug-in: at once", flush=True)
    os.write(1, b"plug-in: past the streams\\n")
    sys.__stdout__.write("plug-in: by the other name\\n")
    subprocess.run([sys.executable, "-c", "print('plug-in: a child'); import sys; sys.stdin.read()"], check=True)
    threading.Thread(target=print, args=("plug-in: a thread",)).start()
    logging.getLogger("plug-in").debug("a line of the log")
    return before(self, *arguments, **more)

hosting.Host.entered = noisy
"""
"""Loaded before the program, as whatever is named in an environment may be."""

NOISES = (
    "plug-in: an import",
    "plug-in: entering",
    "plug-in: at once",
    "plug-in: past the streams",
    "plug-in: by the other name",
    "plug-in: a child",
    "plug-in: a thread",
    "DEBUG:plug-in:a line of the log",
    "plug-in: goodbye",
)
"""What it prints: none of it is lost, it goes to standard error."""

REQUESTS: tuple[dict[str, Any], ...] = (
    {"method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}},
    {"method": "notifications/initialized"},
    {"method": "tools/list"},
    {"method": "tools/call", "params": {
        "name": "observe", "arguments": {"speaker": "ann", "text": "The left bed is dry.\\nIt is."}}},
    {"method": "tools/call", "params": {"name": "explain", "arguments": {"claim": "nothing"}}},
    {"method": "resources/read", "params": {"uri": "upheld://conversations/night"}},
    {"method": "resources/read", "params": {"uri": "upheld://nowhere"}},
    {"method": "no/such/method"},
)  # fmt: skip


def spoken(command: list[str], lines: list[str], wanted: set[int], environment: dict[str, str]) -> tuple[str, str]:
    """Start a program, send it lines, and give all that it ever wrote; the wire is closed when all is answered."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()
        written, missing = "", set(wanted)
        while missing and (line := process.stdout.readline()):
            written += line
            missing.discard(json.loads(line).get("id"))
        rest, errors = process.communicate()
    finally:
        watchdog.cancel()
        process.kill()
    assert (process.returncode, missing) == (0, set()), errors
    return written + rest, errors


def test_c46_every_line_of_standard_output_is_a_message(tmp_path: Path) -> None:
    """C-46 (FalkorDB-MCPServer #27, o8 #1541): logs at DEBUG and a plug-in that prints in every way there is."""
    (tmp_path / "sitecustomize.py").write_text(PLUG_IN, "utf-8")
    requests: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", **request} | ({} if request["method"].startswith("notifications/") else {"id": number})
        for number, request in enumerate(REQUESTS)
    ]
    wanted = {request["id"] for request in requests if "id" in request}
    lines = [*map(json.dumps, requests), "this is no message"]
    written, errors = spoken(
        [sys.executable, "-m", "upheld.faces.cli", "mcp", "--store", "ephemeral:", "--conversation", "night"],
        lines,
        wanted,
        {"PYTHONPATH": ":".join([str(tmp_path), *sys.path]), "UPHELD_INTERPRETER": "none"},
    )
    assert {json.loads(line)["jsonrpc"] for line in written.splitlines()} == {"2.0"}
    for noise in NOISES:
        assert noise in errors
