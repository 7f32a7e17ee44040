"""Requests and replies as conversations: what the three interfaces share once they are told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.messages import INPUTS, hear_message, hear_messages, hear_reply, hear_request
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_list, listed, mapping, required
from upheld.speech.formats.transcript import Transcript

_REQUESTS = ("request", "body", "params", "kwargs")
_REPLIES = ("response", "result", "completion", "reply")


def read_exchanges(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read requests and replies: a file of messages is one conversation, of anything larger one a record."""
    is_list_of_messages = any(is_message(mapping(item)) for item in head.items)
    if is_list_of_messages and (head.is_lines or is_list(head.values[0])):
        dialogue = Dialogue(tally)
        for place, message in entries(source, head, tally):
            with dialogue.record(place):
                hear_message(dialogue, message)
        yield from dialogue.transcript("")
    else:
        for place, exchange in entries(source, head, tally):
            dialogue = Dialogue(tally)
            with dialogue.record(place):
                _hear_exchange(dialogue, exchange, place)
            yield from dialogue.transcript(first_text(mapping(exchange), "custom_id", "id"))


def is_message(tree: Mapping[str, object]) -> bool:
    """Tell whether a record is one message rather than a request or a reply."""
    is_reply = tree.get("object") is not None or "usage" in tree or "stop_reason" in tree
    return ("role" in tree and ("content" in tree or "parts" in tree) and not is_reply) or (
        "type" in tree and ("role" in tree or "call_id" in tree or tree["type"] == "reasoning") and not is_reply
    )


def request_in(tree: Mapping[str, object]) -> Mapping[str, object]:
    """Give the request of a record: itself, or what it wraps."""
    return next((mapping(tree[name]) for name in _REQUESTS if mapping(tree.get(name))), tree)


def reply_in(tree: Mapping[str, object]) -> Mapping[str, object]:
    """Give the reply of a record: itself, or what it wraps, once or twice (``response.body``, ``result.message``)."""
    outer = next((mapping(tree[name]) for name in _REPLIES if mapping(tree.get(name))), tree)
    return next((mapping(outer[name]) for name in ("body", "message") if mapping(outer.get(name))), outer)


def messages_in(head: Head) -> list[Mapping[str, object]]:
    """Give the messages that a file begins with, wherever they stand."""
    first = head.first
    if is_message(first):
        return [mapping(item) for item in head.items]
    request = request_in(first)
    found = listed(next((request[name] for name in INPUTS if listed(request.get(name))), None))
    if not found and head.items and is_list(head.items[0]):
        found = listed(head.items[0])
    return [mapping(item) for item in found]


def _hear_exchange(dialogue: Dialogue, content: object, place: str) -> None:
    if is_list(content):
        hear_messages(dialogue, listed(content), place)
        return
    tree = required(content, "a request, a reply or a list of messages")
    request, reply = request_in(tree), reply_in(tree)
    is_request = any(name in request for name in INPUTS)
    is_reply = any(name in reply for name in ("choices", "output", "content")) and reply is not request
    is_both = reply is request and any(name in reply for name in ("choices", "output"))
    is_bare = not is_request and any(name in reply for name in ("choices", "output", "content"))
    if not (is_request or is_reply or is_bare):
        raise MalformedInput("neither messages nor a reply")
    if is_request:
        hear_request(dialogue, request, place)
    elif request.get("instructions"):
        hear_request(dialogue, {"instructions": request["instructions"]}, place)
    if is_reply or is_both or is_bare:
        hear_reply(dialogue, reply, place)
