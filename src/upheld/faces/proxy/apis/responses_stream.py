"""A stream of OpenAI Responses: items of output with parts, each announced, grown and closed, all events numbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from upheld.faces.proxy.apis.dialect import Refusal, place_in
from upheld.faces.proxy.events import Event, Piece, Place, Tree, event_of
from upheld.speech.formats.exports.values import listed, mapping, text

_WORDS = "response.output_text.delta"
_PLACES = {
    _WORDS: Place.WORDS,
    "response.output_text.annotation.added": Place.AFTER,
    "response.completed": Place.LAST,
    "response.incomplete": Place.LAST,
    "response.failed": Place.LAST,
    "keepalive": Place.BESIDE,
}
_WHERE = ("item_id", "output_index", "content_index")


class ResponseReader:
    """Reads the events of one response; since fewer may leave than came, they are numbered anew."""

    lanes = 1

    def __init__(self) -> None:
        """Begin with nothing."""
        self._response: Tree = {}
        self._items: dict[int, Tree] = {}
        self._where: Tree = {}
        self._number: int | None = None

    def read(self, event: Event) -> Sequence[Piece]:
        """Say what an event is."""
        tree = event.tree
        kind = text(tree.get("type")) or event.name
        if kind == _WORDS:
            self._where = {name: tree.get(name) for name in _WHERE}
        words = text(tree.get("delta")) if kind == _WORDS else ""
        return [Piece(place=_PLACES.get(kind, Place.WAITING), text=words, event=event)]

    def words(self, lane: int, text: str) -> Event:
        """Give a text as a delta of the part that is speaking."""
        return self._event(_WORDS, **self._where, delta=text, logprobs=[])

    def sent(self, event: Event) -> Event:
        """Number an event, and add what leaves to what has left."""
        tree = event.tree
        self._grow(text(tree.get("type")), tree)
        if self._number is None:
            self._number = place_in(tree, "sequence_number")
        elif tree:
            self._number += 1
        if not tree or tree.get("sequence_number") == self._number:
            return event
        return event_of({**tree, "sequence_number": self._number}, name=event.name)

    def marked(self, event: Event, mark: Tree) -> Event:
        """Put it into the response that the last event repeats."""
        tree = event.tree
        response = {**mapping(tree.get("response")), "upheld": mark}
        return event_of({**tree, "response": response}, name=event.name)

    def stopped(self, lane: int, refusal: Refusal) -> Sequence[Event]:
        """Close the part and the item that are open, and the response."""
        closing = list(self._closing())
        details = {"reason": "content_filter"}
        response = {**self.reply(lane), "status": "incomplete", "incomplete_details": details, "upheld": refusal.mark}
        return [*closing, self._event("response.incomplete", response=response)]

    def ending(self) -> Sequence[Event]:
        """Nothing comes after the end of a response."""
        return ()

    def failure(self, status: int, message: str) -> Event:
        """Give an error, which clients raise."""
        return self._event("error", code=str(status), message=message, param=None)

    def reply(self, lane: int) -> Tree:
        """Give the items so far."""
        return {**self._response, "output": [self._items[index] for index in sorted(self._items)]}

    def _closing(self) -> Iterator[Event]:
        place, last = place_in(self._where, "output_index"), place_in(self._where, "content_index")
        if place not in self._items:
            return
        parts = self._parts(place)
        if last < len(parts):
            yield self._event("response.output_text.done", **self._where, text=parts[last].get("text"), logprobs=[])
            yield self._event("response.content_part.done", **self._where, part=parts[last])
        self._items[place] = {**self._items[place], "status": "incomplete"}
        yield self._event("response.output_item.done", output_index=place, item=self._items[place])

    def _grow(self, kind: str, tree: Tree) -> None:
        place = place_in(tree, "output_index")
        match kind:
            case "response.created" | "response.in_progress" | "response.completed" | "response.incomplete":
                self._response = dict(mapping(tree.get("response")))
            case "response.output_item.added":
                item = mapping(tree.get("item"))
                self._items[place] = {**item, "content": [dict(mapping(each)) for each in listed(item.get("content"))]}
            case "response.content_part.added":
                self._parts(place).append(dict(mapping(tree.get("part"))))
            case "response.output_text.delta" | "response.refusal.delta":
                self._add(place, place_in(tree, "content_index"), text(tree.get("delta")))
            case "response.output_item.done":
                self._items[place] = dict(mapping(tree.get("item")))
            case _:
                pass

    def _parts(self, place: int) -> list[Tree]:
        item = self._items.setdefault(place, {"type": "message", "role": "assistant", "content": []})
        return cast("list[Tree]", item.setdefault("content", []))

    def _add(self, place: int, part: int, words: str) -> None:
        parts = self._parts(place)
        if part < len(parts):
            name = "refusal" if parts[part].get("type") == "refusal" else "text"
            parts[part][name] = text(parts[part].get(name)) + words

    def _event(self, kind: str, **fields: object) -> Event:
        return event_of({"type": kind, **fields}, name=kind)
