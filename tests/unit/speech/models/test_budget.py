"""What may be spent, and what was."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from upheld.errors import BudgetSpent, ModelUnreachable
from upheld.speech.models.budget import Allowance, BudgetedModel
from upheld.speech.models.metering import MeteredModel, Price
from upheld.speech.models.reply import Reply, Usage, costing
from upheld.speech.models.request import Request
from upheld.testing.language_model_contract import REQUESTS, asked
from upheld.testing.scripted_model import Line, ScriptedModel


def paid(calls: int = 1, tokens: int = 10, *, reused: int = 0, by: str = "x-1") -> Reply:
    """Give a reply that cost so much."""
    usage = Usage(calls=calls, input_tokens=tokens, reused=reused)
    return Reply(text="yes", answered_by=by, usage=usage)


def test_nothing_is_sent_once_the_calls_are_spent() -> None:
    """The issue, section 1: a budget in calls, stopping cleanly."""
    inner = ScriptedModel([paid(), paid(), paid()])
    llm = BudgetedModel(inner, calls=2)
    llm.ask(REQUESTS[0])
    assert llm.left == Allowance(calls=1)
    llm.ask(REQUESTS[1])
    with pytest.raises(BudgetSpent, match="2 calls"):
        llm.ask(REQUESTS[2])
    assert len(inner.asked) == 2
    assert llm.spent == Usage(calls=2, input_tokens=20)


def test_nothing_is_sent_once_the_tokens_are_spent() -> None:
    """The issue, section 1: a budget in tokens."""
    llm = BudgetedModel(ScriptedModel([paid(tokens=30), paid(tokens=30)]), tokens=50)
    llm.ask(REQUESTS[0])
    assert llm.left == Allowance(tokens=20)
    llm.ask(REQUESTS[0])
    assert llm.left == Allowance(tokens=0)
    with pytest.raises(BudgetSpent, match="50 tokens"):
        llm.ask(REQUESTS[0])


def test_an_allowance_of_nothing_allows_nothing() -> None:
    """Our promise: 0 is not "no limit"."""
    with pytest.raises(BudgetSpent):
        BudgetedModel(ScriptedModel([]), calls=0).ask(REQUESTS[0])


def test_failures_and_retries_are_spent_too_and_reuse_is_not() -> None:
    """The issue, section 6.1: the cost equals the server's count."""
    gone = costing(ModelUnreachable("gone"), Usage(calls=5))
    llm = BudgetedModel(ScriptedModel([paid(calls=3), gone, paid(calls=0, tokens=0, reused=1)]), calls=9)
    llm.ask(REQUESTS[0])
    with pytest.raises(ModelUnreachable):
        llm.ask(REQUESTS[0])
    llm.ask(REQUESTS[0])
    assert llm.spent == Usage(calls=8, input_tokens=10, reused=1)
    assert llm.left.calls == 1


def test_an_error_that_is_none_of_ours_leaves_the_count_right() -> None:
    """Our promise: a fault of somebody else does not use up a call for ever."""

    def script(request: Request) -> Line:
        raise ZeroDivisionError

    llm = BudgetedModel(ScriptedModel(script), calls=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            llm.ask(REQUESTS[0])


def test_threads_together_keep_the_limit_of_calls() -> None:
    """Our promise: what is under way counts, so that eight threads do not each take the last call."""
    gate = threading.Event()

    def script(request: Request) -> Line:
        gate.wait(10)
        return paid()

    inner = ScriptedModel(script)
    llm = BudgetedModel(inner, calls=5)

    def attempt(place: int) -> bool:
        try:
            llm.ask(asked(str(place)))
        except BudgetSpent:
            gate.set()
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        answered = list(pool.map(attempt, range(8)))
    assert sum(answered) == len(inner.asked) == 5


PRICES = {"x-1": Price(input=Decimal("2.50"), output=Decimal(10))}


def test_a_bill_counts_by_prompt_and_by_who_answered() -> None:
    """The issue, section 1: a token and cost report; exact, since it is money."""
    second = Request(prompt="match@2", messages=REQUESTS[0].messages)
    reply = Reply(text="y", answered_by="x-1", usage=Usage(calls=2, input_tokens=1_000, output_tokens=100))
    llm = MeteredModel(ScriptedModel([reply, reply, reply]), prices=PRICES)
    for request in (REQUESTS[0], second, REQUESTS[0]):
        llm.ask(request)
    bill = llm.bill
    assert [(post.label, post.answered_by, post.usage.calls) for post in bill.posts] == [
        ("contract@1", "x-1", 4),
        ("match@2", "x-1", 2),
    ]
    assert bill.usage == Usage(calls=6, input_tokens=3_000, output_tokens=300)
    assert bill.cost == Decimal("0.0105")
    assert bill.lines()[-1].endswith("0.0105")


@pytest.mark.parametrize("reply", [paid(by="x-2"), paid(tokens=0, by="x-1")], ids=["no price", "no count of tokens"])
def test_an_unknown_cost_is_called_unknown_and_never_nothing(reply: Reply) -> None:
    """Our promise: a sum that leaves something out would be believed."""
    llm = MeteredModel(ScriptedModel([paid(), reply]), prices=PRICES, label=lambda request: request.prompt[:3])
    llm.ask(REQUESTS[0])
    llm.ask(asked("b"))
    if reply.answered_by == "x-2":
        assert llm.bill.cost is None
        assert llm.bill.lines()[-1].endswith("unknown")
    else:
        alone = MeteredModel(ScriptedModel([reply]), prices=PRICES)
        alone.ask(REQUESTS[0])
        assert alone.bill.cost is None


def test_what_was_reused_costs_nothing_even_without_a_price() -> None:
    """Our promise: a replay is free, and is known to be."""
    llm = MeteredModel(ScriptedModel([paid(calls=0, tokens=0, reused=1, by="unheard of")]))
    llm.ask(REQUESTS[0])
    assert llm.bill.cost == 0


def test_failures_stand_on_the_bill() -> None:
    """The issue, section 6.1: failed calls left the process, too."""
    gone = costing(ModelUnreachable("gone"), Usage(calls=5, input_tokens=7))
    llm = MeteredModel(ScriptedModel([gone, paid()], name="x-1"), prices=PRICES)
    with pytest.raises(ModelUnreachable):
        llm.ask(REQUESTS[0])
    llm.ask(REQUESTS[0])
    assert llm.bill.usage == Usage(calls=6, input_tokens=17)


def test_a_price_for_the_name_that_was_asked_holds_for_the_name_that_answered() -> None:
    """Our promise: providers answer with a dated name, and a price list has the plain one."""
    llm = MeteredModel(ScriptedModel([paid(by="x-1-2026-11-01")], name="openai:x-1"), prices=PRICES)
    llm.ask(REQUESTS[0])
    assert llm.bill.cost == Decimal("0.000025")
