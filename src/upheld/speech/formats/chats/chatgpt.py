"""Conversations as ChatGPT exports them: ``conversations.json``, a list of trees of messages.

Of a tree the branch is taken that ends in ``current_node``; without one, the one that ends in the newest leaf, and
where nodes have no parents at all, as they stand. Source: OpenAI help, *How do I export my ChatGPT history* (2025),
and exports as the readers of bot-knows and chatgpt-exporter describe them (2025).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, TOOL, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.parts import UNSEEN
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import (
    first_text,
    is_list,
    is_mapping,
    json_or_text,
    listed,
    mapping,
    required,
    text,
    time_of,
)
from upheld.speech.formats.transcript import Transcript

_THOUGHTS = frozenset(("thoughts", "reasoning_recap"))
_CONTEXTS = frozenset(("user_editable_context", "model_editable_context"))


def is_chatgpt(head: Head) -> bool:
    """Tell whether the records have a mapping of nodes."""
    nodes = mapping(head.first.get("mapping"))
    return any("message" in mapping(node) or "children" in mapping(node) for node in nodes.values())


def read_chatgpt(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read conversations, one tree at a time."""
    for place, content in entries(source, head, tally, "conversations.item"):
        dialogue = Dialogue(tally)
        tree = mapping(content)
        with dialogue.record(place):
            nodes = required(required(content, "a conversation").get("mapping"), "a mapping of nodes")
            branch = _branch(nodes, text(tree.get("current_node")))
            tally.leave_out("message of another branch", _messages(nodes) - _messages({id: nodes[id] for id in branch}))
            for id in branch:
                with dialogue.record(f"{place}.mapping.{id}"):
                    _hear(dialogue, required(nodes[id], "a node").get("message"))
        yield from dialogue.transcript(first_text(tree, "conversation_id", "id"), title=text(tree.get("title")))


def _branch(nodes: Mapping[str, object], current: str) -> list[str]:
    """Give the nodes from the root to the one that counts; a ring is cut where it closes."""
    # A node that is damaged does not say where it hangs; the one that it hangs on does.
    parents = {text(child): id for id, node in nodes.items() for child in listed(mapping(node).get("children"))}
    parents |= {id: found for id, node in nodes.items() if (found := text(mapping(node).get("parent")))}
    if current not in nodes:
        if not parents:
            return list(nodes)
        leaves = [id for id in nodes if id not in set(parents.values())] or list(nodes)
        current = max(leaves, key=lambda id: _created(nodes[id]))
    branch: dict[str, None] = {}
    while current in nodes and current not in branch:
        branch[current] = None
        current = parents.get(current, "")
    return list(reversed(branch))


def _created(node: object) -> float:
    created = mapping(mapping(node).get("message")).get("create_time")
    return float(created) if isinstance(created, int | float) and not isinstance(created, bool) else 0.0


def _messages(nodes: Mapping[str, object]) -> int:
    return sum(bool(mapping(node).get("message")) for node in nodes.values())


def _hear(dialogue: Dialogue, message: object) -> None:
    if message is None:
        return
    tree = required(message, "a message")
    author, content = mapping(tree.get("author")), tree.get("content")
    role, at = text(author.get("role")), time_of(tree.get("create_time"))
    if not role or not is_mapping(content):
        raise MalformedInput(f"a message needs an author and a content, found {kind_of(content)}")
    kind = text(mapping(tree.get("content")).get("content_type"))
    if kind in _THOUGHTS:
        dialogue.tally.leave_out(REASONING)
        return
    if kind in _CONTEXTS or mapping(tree.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        dialogue.tally.leave_out("hidden message")
        return
    words = _words(dialogue, mapping(tree.get("content")), kind)
    name, recipient = first_text(author, "name"), text(tree.get("recipient"))
    if role == ASSISTANT and recipient not in {"", "all"}:
        read = json_or_text(words)
        dialogue.call(recipient, read if is_mapping(read) else {"code" if kind == "code" else "input": words}, at=at)
    elif role == TOOL:
        dialogue.result(words, tool=name, at=at)
    else:
        dialogue.say(name or role, words, role=role, at=at)


def _words(dialogue: Dialogue, content: Mapping[str, object], kind: str) -> str:
    if "parts" not in content:
        return first_text(content, "text", "result", "content")
    parts = content["parts"]
    if not is_list(parts):
        raise MalformedInput(f"expected a list of parts, found {kind_of(parts)}")
    words: list[str] = []
    for part in listed(parts):
        if isinstance(part, str):
            words.append(part)
            continue
        type = text(mapping(part).get("content_type"))
        if type == "audio_transcription":
            words.append(text(mapping(part).get("text")))
        else:
            dialogue.tally.leave_out(UNSEEN.get(type, "attachment"))
    return "\n".join(filter(None, words))
