"""The review queue on the page, decided by keyboard."""

from __future__ import annotations

import json

import pytest
from selenium.webdriver.common.keys import Keys

from ..conftest import Client, Start
from .conftest import GREENHOUSE, Page, told

REPLIES = ("The soil of the left bed is dry.", "The moon is full.", "The meter of the pump reads zero.")


@pytest.fixture
def queue(page: Page, start: Start) -> tuple[Page, Client]:
    """A page before three flagged replies: one that fell, one that nobody spoke of, and one that stands."""
    service = start()
    client = service.client()
    told(client, "bed", *GREENHOUSE)
    for text in REPLIES:
        assert client.post("/v1/conversations/bed/flags", {"text": text, "speaker": "bot", "by": "guard"}).status == 201
    new = Page(browser=page.browser, port=service.port)
    new.open("openapi.json")
    new.run("sessionStorage.setItem('upheld-reviewer', 'rita')")
    new.open("#/queue")
    new.sees(REPLIES[0], ".flags")
    return new, client


def test_flags_are_listed_worst_first_and_walked_through_by_key(queue: tuple[Page, Client]) -> None:
    """The page's design: worst and newest first; j and k move."""
    page, _ = queue
    listed = page.run("return [...document.querySelectorAll('.flag-text')].map(each => each.innerText)")
    assert listed == list(REPLIES)
    page.press("j")
    page.sees("What it rests on ann · T1", ".flag")
    page.sees("What ended that ann · T5 No: the probe was broken", ".flag")
    page.press("j")
    page.sees("The moon is full.", ".flag blockquote")
    page.press("k")
    page.sees(REPLIES[0], ".flag blockquote")
    page.press("?")
    page.sees("grounded after all", "dialog")
    page.press(Keys.ESCAPE)
    page.until("!document.querySelector('dialog')")


def test_a_decision_is_one_key_and_an_entry_of_the_record(queue: tuple[Page, Client]) -> None:
    """The page's design: g and u decide; nothing is taught silently."""
    page, client = queue
    page.press("j")
    page.sees(REPLIES[0], ".flag blockquote")
    page.write("#why", "The probe was broken, true.")
    page.press(Keys.TAB)
    page.press("u")
    page.sees("Decided, and on record", ".queue-head")
    page.sees("The moon is full.", ".flag blockquote")
    page.until("document.querySelectorAll('.flags li').length == 2")
    decided = client.get("/v1/conversations/bed/flags/F1").tree["decision"]
    assert (decided["outcome"], decided["by"], decided["reason"]) == (
        "ungrounded",
        "rita",
        "The probe was broken, true.",
    )
    page.press("g")
    page.until("document.querySelectorAll('.flags li').length == 1")
    assert client.get("/v1/conversations/bed/flags/F2").tree["decision"]["outcome"] == "grounded"
    gold = [json.loads(line) for line in client.get("/v1/queue/export").body.splitlines()]
    assert len(gold) == 2


def test_the_match_of_a_claim_is_edited_and_goes_on_record(queue: tuple[Page, Client]) -> None:
    """The page's design: e edits the claim match."""
    page, client = queue
    page.press("j")
    page.sees(REPLIES[0], ".flag blockquote")
    page.press("e")
    page.write(".claims input", "o1, o3")
    page.press(Keys.TAB, Keys.TAB, Keys.TAB)
    page.run("document.activeElement.blur()")
    page.press("u")
    page.sees("Decided, and on record", ".queue-head")
    (claim,) = client.get("/v1/conversations/bed/flags/F1").tree["decision"]["claims"]
    assert claim["literals"] == ["o1", "o3"]


def test_a_note_is_written_and_a_flag_is_taken(queue: tuple[Page, Client]) -> None:
    """The page's design: n writes a note."""
    page, client = queue
    page.press("j")
    page.sees(REPLIES[0], ".flag blockquote")
    page.press("n")
    page.press("Ask Ann.")
    page.button("Add the note").click()
    page.sees("rita noted", ".steps")
    page.button("Take it").click()
    page.sees("rita gave it to rita", ".steps")
    told = client.get("/v1/conversations/bed/flags/F1").tree
    assert (told["assignee"], [each["text"] for each in told["comments"]]) == ("rita", ["Ask Ann."])


def test_nobody_decides_without_a_name(queue: tuple[Page, Client]) -> None:
    """Our promise: the name goes on record with each decision."""
    page, client = queue
    page.write(".reviewer input", " ")
    page.run("document.activeElement.blur()")
    page.press("j")
    page.sees(REPLIES[0], ".flag blockquote")
    page.press("u")
    page.sees("Say above as whom you review", ".flag")
    assert client.get("/v1/conversations/bed/flags/F1").tree["decision"] is None


def test_what_is_flagged_meanwhile_is_told_and_moves_nothing(queue: tuple[Page, Client]) -> None:
    """The page's design: what is new arrives by itself; nothing jumps under the pointer."""
    page, client = queue
    page.press("j")
    page.sees(REPLIES[0], ".flag blockquote")
    for text in ("The valve is shut.", "The well is deep."):
        assert client.post("/v1/conversations/bed/flags", {"text": text, "speaker": "bot"}).status == 201
    pill = page.button("2 new", ".flag-side")
    listed = "[...document.querySelectorAll('.flag-text')].map(each => each.innerText)"
    assert page.run(f"return {listed}") == list(REPLIES)
    pill.click()
    page.until("document.querySelectorAll('.flags .flag-text').length == 5")
    page.sees(REPLIES[0], ".flag blockquote")
    page.until("!document.querySelector('.flag-side .pill')")


def test_a_long_queue_goes_on_where_it_is_asked_to(page: Page, start: Start) -> None:
    """Our promise: a page of a hundred, and more of it by one button."""
    service = start()
    client = service.client()
    client.begin("bed")
    for number in range(101):
        assert client.post("/v1/conversations/bed/flags", {"text": f"The moon {number} is full."}).status == 201
    new = Page(browser=page.browser, port=service.port)
    new.open("#/queue")
    new.until("document.querySelectorAll('.flags .flag-text').length == 100")
    new.click(".flags .more button")
    new.until("document.querySelectorAll('.flags .flag-text').length == 101")
    assert not new.run("return document.querySelector('.flags .more')")


def test_an_empty_queue_says_how_replies_come_into_it(page: Page) -> None:
    """The page's design: an empty state says what to do."""
    page.open("#/queue?status=decided")
    page.sees("Nothing is here")
    page.sees("A reply comes here when it is flagged")
