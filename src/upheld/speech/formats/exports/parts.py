"""Parts of a message, whichever interface wrote them: text, calls, results, thinking, and what is no words at all.

The names of types do not clash, so one table reads them all: OpenAI chat completions and Responses (API reference,
2026), Anthropic Messages (API reference, 2026), Gemini ``contents`` (API reference v1beta, 2026) and the parts of the
OpenTelemetry GenAI conventions (semantic-conventions 1.37, 2025, ``gen-ai-input-messages.json``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, Dialogue
from upheld.speech.formats.exports.values import as_json, first_text, is_list, is_mapping, listed, mapping, text

TEXTS = frozenset(("text", "input_text", "output_text", "refusal", "message_text"))
THOUGHTS = frozenset(
    ("thinking", "redacted_thinking", "reasoning", "reasoning_text", "reasoning_content", "summary_text", "thoughts")
)
CALLS = frozenset(
    (
        "tool_use", "server_tool_use", "mcp_tool_use", "custom_tool_use", "function_call", "custom_tool_call",
        "tool_call", "server_tool_call", "tool-call", "function", "local_shell_call", "computer_call",
        "web_search_call", "file_search_call", "code_interpreter_call", "mcp_call",
    )
)  # fmt: skip
RESULTS = frozenset(
    (
        "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_call_response",
        "server_tool_call_response", "tool-result",
    )
)  # fmt: skip
_UNSEEN = {
    "picture": ("image", "image_url", "input_image", "image_file", "image_asset_pointer", "image_generation_call",
                "computer_call_output", "computer_screenshot"),
    "sound": ("audio", "input_audio", "audio_url", "audio_asset_pointer"),
    "video": ("video", "video_url"),
    "attachment": ("document", "file", "input_file", "file_data", "blob", "uri", "container_upload", "attachment"),
}  # fmt: skip
UNSEEN = {name: kind for kind, names in _UNSEEN.items() for name in names}
"""Types of parts that are no words, and as what they are counted."""

_DEPTH = 8
"""Levels of lists and contents inside a result that are looked into for its words."""


@dataclass(slots=True, kw_only=True)
class Voice:
    """Who says the parts that are read, and when; texts that follow each other are one turn."""

    dialogue: Dialogue
    speaker: str = ASSISTANT
    role: str = ASSISTANT
    at: str = ""
    words: list[str] = field(default_factory=list[str])

    def pause(self) -> None:
        """Say what has come together."""
        if any(each.strip() for each in self.words):
            self.dialogue.say(self.speaker, "\n".join(filter(None, self.words)), role=self.role, at=self.at)
        self.words.clear()


def hear_content(voice: Voice, content: object) -> None:
    """Take the content of a message: text, a part, or a list of parts.

    Raises:
        MalformedInput: it is something else.
    """
    if isinstance(content, str):
        voice.words.append(content)
    elif is_list(content):
        for part in content:
            hear_part(voice, part)
    elif content is not None:
        hear_part(voice, content)


def hear_part(voice: Voice, part: object) -> None:
    """Take one part.

    Raises:
        MalformedInput: it is neither text nor an object, or a text that is none.
    """
    if isinstance(part, str):
        voice.words.append(part)
        return
    if not is_mapping(part):
        raise MalformedInput(f"expected text or a part, found {kind_of(part)}")
    tree = part
    kind = text(tree.get("type")) or _kind_of_gemini(tree)
    if kind in TEXTS:
        voice.words.append(_words(tree))
    elif kind in THOUGHTS or tree.get("thought") is True:
        voice.dialogue.tally.leave_out(REASONING)
    elif kind in CALLS:
        voice.pause()
        _hear_call(voice, kind, tree)
    elif kind in RESULTS or kind.endswith("tool_result"):
        voice.pause()
        _hear_result(voice, tree)
    else:
        voice.dialogue.tally.leave_out(UNSEEN.get(kind, kind or "part without a type"))


def words_of(content: object, dialogue: Dialogue, *, depth: int = _DEPTH) -> str:
    """Give what a tool said as text: its texts, what it found, and anything else as JSON. Pictures are counted."""
    if isinstance(content, str) or content is None:
        return content or ""
    if is_list(content) and depth:
        found = [words_of(each, dialogue, depth=depth - 1) for each in content]
        return "\n".join(filter(None, found)) if any(_is_part(each) for each in listed(content)) else as_json(content)
    tree = mapping(content)
    kind = text(tree.get("type"))
    if kind in UNSEEN and not mapping(tree.get("source")).get("data"):
        dialogue.tally.leave_out(UNSEEN[kind])
        return ""
    if kind in {"image", "video", "audio"}:
        dialogue.tally.leave_out(UNSEEN[kind])
        return ""
    if kind == "document":
        return words_of(mapping(tree.get("source")).get("data"), dialogue, depth=depth - 1)
    if kind in TEXTS or kind == "search_result":
        return first_text(tree, "text", "content") or words_of(tree.get("content"), dialogue, depth=max(0, depth - 1))
    if kind == "web_search_result":
        return "\n".join(filter(None, (text(tree.get("title")), text(tree.get("url")))))
    if kind == "logs":
        return text(tree.get("logs"))
    kept = {name: value for name, value in tree.items() if not name.startswith("encrypted_")}
    return as_json(kept if tree else content)


def _is_part(content: object) -> bool:
    return isinstance(content, str) or bool(text(mapping(content).get("type")))


def _words(tree: Mapping[str, object]) -> str:
    for name in ("text", "content", "refusal"):
        found = tree.get(name)
        if is_mapping(found):
            found = mapping(found).get("value")
        if found is not None and not isinstance(found, str):
            raise MalformedInput(f"expected text, found {kind_of(found)}")
        if found:
            return found
    return ""


def _kind_of_gemini(tree: Mapping[str, object]) -> str:
    """Give a type to a part of the Gemini interface, whose keys say what it is."""
    if tree.get("thought") is True:
        return "thinking"
    for name, kind in _GEMINI.items():
        if name in tree:
            return kind
    return ""


_GEMINI = {
    "text": "text",
    "functionCall": "function_call",
    "function_call": "function_call",
    "executableCode": "code_interpreter_call",
    "functionResponse": "function_call_output",
    "function_response": "function_call_output",
    "codeExecutionResult": "tool_call_response",
    "inlineData": "attachment",
    "inline_data": "attachment",
    "fileData": "attachment",
    "file_data": "attachment",
}


def _hear_call(voice: Voice, kind: str, tree: Mapping[str, object]) -> None:
    inner = next((mapping(tree[name]) for name in ("function", "functionCall", "function_call") if name in tree), tree)
    if "executableCode" in tree:
        inner = {"name": "code_execution", "arguments": {"code": mapping(tree["executableCode"]).get("code")}}
    id = first_text(tree, "call_id", "id", "tool_call_id", "toolCallId") or text(inner.get("id"))
    name = first_text(inner, "name", "tool_name", "toolName") or kind.removesuffix("_call")
    speaker = voice.speaker if voice.role == ASSISTANT else ASSISTANT
    voice.dialogue.call(name, _arguments(inner), speaker=speaker, id=id, at=voice.at)
    found = next((tree[name] for name in ("output", "outputs", "results") if tree.get(name) is not None), None)
    if found is not None:
        voice.dialogue.result(words_of(found, voice.dialogue), tool=name, at=voice.at)


def _arguments(tree: Mapping[str, object]) -> object:
    for name in ("arguments", "input", "args", "parameters", "action", "server_tool_call"):
        if tree.get(name) is not None:
            return tree[name]
    return {name: tree[name] for name in ("queries", "code") if tree.get(name) is not None}


def _hear_result(voice: Voice, tree: Mapping[str, object]) -> None:
    inner = mapping(tree.get("functionResponse") or tree.get("function_response"))
    if inner:
        content = inner.get("response")
        plain = mapping(content)
        single = next((plain[name] for name in ("result", "output") if list(plain) == [name]), content)
        voice.dialogue.result(words_of(single, voice.dialogue), tool=text(inner.get("name")), at=voice.at)
        return
    if "codeExecutionResult" in tree:
        said = text(mapping(tree["codeExecutionResult"]).get("output"))
        voice.dialogue.result(said, tool="code_execution", at=voice.at)
        return
    names = ("content", "output", "response", "result", "server_tool_call_response")
    content = next((tree[name] for name in names if tree.get(name) is not None), None)
    ids = ("tool_use_id", "call_id", "tool_call_id", "mcp_tool_use_id", "custom_tool_use_id", "toolCallId", "id")
    tool, id = first_text(tree, "name", "toolName"), first_text(tree, *ids)
    voice.dialogue.result(words_of(content, voice.dialogue), tool=tool, id=id, at=voice.at)
