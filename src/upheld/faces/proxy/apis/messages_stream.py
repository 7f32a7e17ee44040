"""A stream of Anthropic messages: blocks that are begun, grow and end, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from upheld.faces.proxy.apis.dialect import Refusal, place_in
from upheld.faces.proxy.events import Event, Piece, Place, Tree, event_of
from upheld.speech.formats.exports.values import json_or_text, mapping, text

_PLACES = {"ping": Place.BESIDE, "message_delta": Place.LAST}


class MessageReader:
    """Reads the events of one message."""

    lanes = 1

    def __init__(self) -> None:
        """Begin with nothing."""
        self._message: Tree = {}
        self._blocks: dict[int, Tree] = {}
        self._arguments: dict[int, str] = {}
        self._open: int | None = None
        self._speaking = 0
        self._output_tokens: object = 0

    def read(self, event: Event) -> Sequence[Piece]:
        """Say what an event is."""
        tree = event.tree
        kind = text(tree.get("type")) or event.name
        delta = mapping(tree.get("delta"))
        if kind == "content_block_delta" and delta.get("type") == "text_delta":
            self._speaking = place_in(tree, "index")
            return [Piece(place=Place.WORDS, text=text(delta.get("text")), event=event)]
        if kind == "content_block_delta" and delta.get("type") == "citations_delta":
            return [Piece(place=Place.AFTER, event=event)]
        return [Piece(place=_PLACES.get(kind, Place.WAITING), event=event)]

    def words(self, lane: int, text: str) -> Event:
        """Give a text as a delta of the block that is speaking."""
        delta = {"type": "text_delta", "text": text}
        return _event("content_block_delta", index=self._speaking, delta=delta)

    def sent(self, event: Event) -> Event:
        """Add what leaves to what has left."""
        tree = event.tree
        match text(tree.get("type")):
            case "message_start":
                self._message = dict(mapping(tree.get("message")))
                self._output_tokens = mapping(self._message.get("usage")).get("output_tokens", 0)
            case "content_block_start":
                self._open = place_in(tree, "index")
                self._blocks[self._open] = dict(mapping(tree.get("content_block")))
            case "content_block_delta":
                self._grow(place_in(tree, "index"), mapping(tree.get("delta")))
            case "content_block_stop":
                self._open = None
            case _:
                pass
        return event

    def marked(self, event: Event, mark: Tree) -> Event:
        """Put it beside the reason for which the message ended."""
        return event_of({**event.tree, "upheld": mark}, name=event.name)

    def stopped(self, lane: int, refusal: Refusal) -> Sequence[Event]:
        """Close the block that is open, and end the message as refused."""
        closing = [] if self._open is None else [_event("content_block_stop", index=self._open)]
        delta = {"stop_sequence": None, **refusal_details(refusal)}
        usage = {"output_tokens": self._output_tokens}
        return [
            *closing,
            _event("message_delta", delta=delta, usage=usage, upheld=refusal.mark),
            _event("message_stop"),
        ]

    def ending(self) -> Sequence[Event]:
        """Nothing comes after the end of a message."""
        return ()

    def failure(self, status: int, message: str) -> Event:
        """Give an error, which clients raise."""
        kind = "timeout_error" if status == 504 else "api_error"
        return _event("error", error={"type": kind, "message": message})

    def reply(self, lane: int) -> Tree:
        """Give the blocks so far."""
        blocks: list[Tree] = []
        for index in sorted(self._blocks):
            block = dict(self._blocks[index])
            if self._arguments.get(index):
                block["input"] = json_or_text(self._arguments[index])
            blocks.append(block)
        return {**self._message, "role": "assistant", "content": blocks}

    def _grow(self, index: int, delta: object) -> None:
        tree = mapping(delta)
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        if tree.get("type") == "text_delta":
            block["text"] = text(block.get("text")) + text(tree.get("text"))
        elif tree.get("type") == "input_json_delta":
            self._arguments[index] = self._arguments.get(index, "") + text(tree.get("partial_json"))


def refusal_details(refusal: Refusal) -> Tree:
    """Give the fields that say that a message was refused, and why."""
    details = {"type": "refusal", "category": None, "explanation": refusal.notice}
    return {"stop_reason": "refusal", "stop_details": details}


def _event(kind: str, **fields: object) -> Event:
    return event_of({"type": kind, **fields}, name=kind)
