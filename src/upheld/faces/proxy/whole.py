"""Answers that come whole: judged, asked for again, refused, or let through with what was found beside them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus

from httpx2 import Response
from starlette.responses import Response as Outgoing

from upheld.conversation.guard.policy import strictest
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.faces.proxy.apis.dialect import Refusal
from upheld.faces.proxy.events import Tree, object_of
from upheld.faces.proxy.exchange import Exchange, Policy, answer_in
from upheld.faces.proxy.upstream import headers_back, read

Send = Callable[[Tree], Awaitable[Response]]
"""Sends a request in the caller's name."""


async def answered(exchange: Exchange, send: Send) -> Outgoing:
    """Ask, judge, and answer; what the upstream refuses comes back as it is.

    Raises:
        UpstreamFailure: nobody answered.
    """
    return await judged(exchange, await send(exchange.request()), send)


async def judged(exchange: Exchange, response: Response, send: Send) -> Outgoing:
    """Judge an answer, and give what becomes of it; raises like :func:`answered`."""
    content = await read(response)
    tree = object_of(content)
    replies = exchange.dialect.candidates(tree)
    if response.status_code != HTTPStatus.OK or not replies:
        return _untouched(exchange, response, content)
    verdicts = await _verdicts(exchange, replies)
    failing = next((verdict for verdict in verdicts if not verdict.passes), None)
    if exchange.policy is Policy.RETRY and failing is not None and not failing.could_not_check:
        response, content, tree = await _again(exchange, send, failing)
        replies = exchange.dialect.candidates(tree)
        if response.status_code != HTTPStatus.OK or not replies:
            return _untouched(exchange, response, content)
        verdicts = await _verdicts(exchange, replies)
    return await _settled(exchange, response, tree, verdicts) or _untouched(exchange, response, content, verdicts)


async def _verdicts(exchange: Exchange, replies: Sequence[Tree]) -> list[GuardVerdict]:
    return [await exchange.noted(await exchange.verdict(answer_in(reply)[1]), reply) for reply in replies]


async def _again(exchange: Exchange, send: Send, failing: GuardVerdict) -> tuple[Response, bytes, Tree]:
    response = await send(exchange.request_again(failing))
    content = await read(response)
    return response, content, object_of(content)


async def _settled(
    exchange: Exchange, response: Response, tree: Tree, verdicts: Sequence[GuardVerdict]
) -> Outgoing | None:
    """Put the answers that may leave on record, and give them; nothing, where they leave as they came."""
    blocks = exchange.policy.holds_back
    refusals: list[Refusal | None] = [
        exchange.refusal(verdict) if blocks and not verdict.passes else None for verdict in verdicts
    ]
    is_refused = any(each is not None for each in refusals)
    if is_refused:
        tree = exchange.dialect.refused(tree, refusals)
    replies = exchange.dialect.candidates(tree)
    # Of several answers nobody knows which is taken; the next request tells.
    said = answer_in(replies[0])[0] if len(replies) == 1 else ()
    verdict = _one_of(verdicts)
    mark = await exchange.settle(verdict, said, tree, is_refused=is_refused)
    if exchange.policy is Policy.OBSERVE:
        return None
    marked = exchange.dialect.marked(tree, mark)
    headers = [*headers_back(response, is_read=True), *exchange.headers(verdict).items()]
    return _outgoing(json.dumps(marked, ensure_ascii=False).encode("utf-8", "surrogatepass"), 200, headers)


def _one_of(verdicts: Sequence[GuardVerdict]) -> GuardVerdict:
    """Give what is told where there is one place to tell it: of several answers, the worst."""
    worst = strictest(verdict.action for verdict in verdicts)
    return next(verdict for verdict in verdicts if verdict.action is worst)


def _untouched(
    exchange: Exchange, response: Response, content: bytes, verdicts: Sequence[GuardVerdict] = ()
) -> Outgoing:
    verdict = _one_of(verdicts) if verdicts else None
    headers = [*headers_back(response, is_read=True), *exchange.headers(verdict).items()]
    return _outgoing(content, response.status_code, headers)


def _outgoing(content: bytes, status: int, headers: Sequence[tuple[str, str]]) -> Outgoing:
    answer = Outgoing(content, status_code=status)
    length = [pair for pair in answer.raw_headers if pair[0] == b"content-length"]
    answer.raw_headers = [*((name.encode("latin-1"), value.encode("latin-1")) for name, value in headers), *length]
    return answer
