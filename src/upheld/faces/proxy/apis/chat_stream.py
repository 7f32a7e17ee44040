"""A stream of chat completion chunks: which of it is text, and how a text of ours is put in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from upheld.faces.proxy.apis.dialect import Refusal, place_in
from upheld.faces.proxy.events import Event, Piece, Place, Tree, event_of
from upheld.speech.formats.exports.values import listed, mapping, text

DONE = Event(data="[DONE]")

_FRAME = ("id", "object", "created", "model", "system_fingerprint", "service_tier")
_BARE = frozenset(("role", "content"))
_ACCUMULATED = ("content", "refusal")


@dataclass(slots=True)
class _Choice:
    """What has left of one choice, and whether its first chunk, which names the role, was seen."""

    has_role: bool = False
    words: dict[str, str] = field(default_factory=dict[str, str])
    calls: dict[int, Tree] = field(default_factory=dict[int, Tree])


class ChatReader:
    """Reads chunks. One with several choices is taken apart; probabilities of tokens do not survive being held."""

    def __init__(self, *, lanes: int = 1) -> None:
        """``lanes``: how many choices were asked for."""
        self.lanes = lanes
        self._frame: Tree = {"object": "chat.completion.chunk"}
        self._choices: dict[int, _Choice] = {}

    def read(self, event: Event) -> Sequence[Piece]:
        """Say what a chunk is made of."""
        if event.data.strip() == DONE.data:
            return [Piece(place=Place.END, event=event)]
        tree = event.tree
        if tree.get("error"):
            return [Piece(place=Place.WAITING, event=event)]
        self._frame |= {name: tree[name] for name in _FRAME if name in tree}
        choices = listed(tree.get("choices"))
        if not choices:
            return [Piece(place=Place.BESIDE, event=event)]
        usage = {"usage": tree["usage"]} if tree.get("usage") else {}
        return [piece for each in choices for piece in self._pieces({**mapping(each)}, usage)]

    def words(self, lane: int, text: str) -> Event:
        """Give a text as a chunk."""
        return self._chunk(lane, {"content": text})

    def sent(self, event: Event) -> Event:
        """Add what leaves to what has left."""
        for choice in listed(event.tree.get("choices")):
            tree = mapping(choice)
            delta, kept = mapping(tree.get("delta")), self._choice(tree)
            for name in _ACCUMULATED:
                if text(delta.get(name)):
                    kept.words[name] = kept.words.get(name, "") + text(delta[name])
            for call in listed(delta.get("tool_calls")):
                _add_call(kept.calls, mapping(call))
        return event

    def marked(self, event: Event, mark: Tree) -> Event:
        """Put it beside the choices of the chunk that ends one."""
        return event_of({**event.tree, "upheld": mark})

    def stopped(self, lane: int, refusal: Refusal) -> Sequence[Event]:
        """Give the end of the choice."""
        ended = self._chunk(lane, {}, finish="content_filter").tree
        return [event_of({**ended, "upheld": refusal.mark})]

    def ending(self) -> Sequence[Event]:
        """Give the line that ends a stream."""
        return [DONE]

    def failure(self, status: int, message: str) -> Event:
        """Give an error, which clients raise."""
        return event_of({"error": {"message": message, "type": "upstream_error", "param": None, "code": status}})

    def reply(self, lane: int) -> Tree:
        """Give the message so far."""
        kept = self._choices.get(lane, _Choice())
        message: Tree = {"role": "assistant", "content": kept.words.get("content"), **kept.words}
        if kept.calls:
            message["tool_calls"] = [kept.calls[index] for index in sorted(kept.calls)]
        return {**self._frame, "choices": [{"index": lane, "message": message}]}

    def _pieces(self, choice: Tree, usage: Tree) -> Iterator[Piece]:
        lane = place_in(choice, "index")
        delta = dict(mapping(choice.get("delta")))
        content, finish = text(delta.get("content")), text(choice.get("finish_reason"))
        kept = self._choices.setdefault(lane, _Choice())
        is_first, kept.has_role = not kept.has_role and "role" in delta, kept.has_role or "role" in delta
        if is_first:
            yield self._piece(Place.WAITING, lane, {"role": delta["role"], "content": ""})
        if content:
            yield Piece(place=Place.WORDS, lane=lane, text=content, event=self._chunk(lane, {"content": content}))
        rest = {name: value for name, value in delta.items() if name not in _BARE and value is not None}
        if rest and not finish:
            yield self._piece(Place.WAITING, lane, rest)
        if finish:
            ended = self._chunk(lane, rest, finish=finish).tree
            yield Piece(place=Place.LAST, lane=lane, event=event_of({**ended, **usage}))

    def _piece(self, place: Place, lane: int, delta: Tree) -> Piece:
        return Piece(place=place, lane=lane, event=self._chunk(lane, delta))

    def _chunk(self, lane: int, delta: Tree, *, finish: str | None = None) -> Event:
        choice = {"index": lane, "delta": delta, "logprobs": None, "finish_reason": finish}
        return event_of({**self._frame, "choices": [choice]})

    def _choice(self, tree: object) -> _Choice:
        return self._choices.setdefault(place_in(tree, "index"), _Choice())


def _add_call(calls: dict[int, Tree], delta: object) -> None:
    tree = mapping(delta)
    called = calls.setdefault(place_in(tree, "index"), {"type": "function", "function": {}})
    if text(tree.get("id")):
        called["id"] = tree["id"]
    function: Tree = called["function"]
    for name in ("name", "arguments"):
        piece = text(mapping(tree.get("function")).get(name))
        function[name] = function.get(name, "") + piece
