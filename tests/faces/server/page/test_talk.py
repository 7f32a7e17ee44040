"""One conversation on the page: read, drawn, walked through, asked about and changed."""

from __future__ import annotations

import json

from selenium.webdriver.common.keys import Keys

from ..conftest import Client, Start
from .conftest import GREENHOUSE, Page, told


def test_a_turn_whose_reply_was_flagged_leads_to_its_review(page: Page, start: Start) -> None:
    """Our promise: why was this flagged is one click from where it was said."""
    service = start()
    client = service.client()
    assert client.post("/v1/samples/greenhouse", {}).status == 201
    new = Page(browser=page.browser, port=service.port)
    new.open("#/c/sample-greenhouse")
    new.sees("The mister has a clogged nozzle, so I can order a nozzle set today. ⚑ flagged: ungrounded", ".transcript")
    new.button("⚑ flagged", ".flag-note").click()
    new.sees("What it rests on otto · T2", ".flag")
    decided = client.post(
        "/v1/conversations/sample-greenhouse/flags/F1/decision", {"outcome": "ungrounded", "by": "rita"}
    )
    assert decided.status == 201
    new.open("#/c/sample-greenhouse")
    new.sees("flagged: ungrounded · decided: ungrounded", ".flag-note")


def test_premises_that_carry_a_claim_together_meet_before_it(page: Page, client: Client, name: str) -> None:
    """Issue 6: what rests on what, and either-or, can be read off the graph."""
    either = {"text": "The beds want water.", "kind": "fact", "depends_on_any": [["o1", "o2"], ["o3"]]}
    readings = [{"op": "observe", "id": id, "text": f"Reading {id}."} for id in ("o1", "o2", "o3")]
    turns = (("ann", "Three readings.", readings), ("ann", "So.", [{"op": "observe", "id": "c1", **either}]))
    page.open(told(client, name, *turns))
    page.find(".graph [data-joint=or]")
    joints = page.run("return [...document.querySelectorAll('[data-joint]')].map(each => each.title).sort()")
    assert joints == ["Each of 2 grounds is enough for c1", "o1 and o2 carry c1 together"]
    overlap = page.run(
        """const boxes = [...document.querySelectorAll('.react-flow__node')].map(each => each.getBoundingClientRect());
        return boxes.some((a, i) => boxes.some((b, j) =>
            i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));"""
    )
    assert overlap is False


def test_each_claim_is_underlined_by_how_it_stands_and_never_by_colour_alone(
    page: Page, client: Client, name: str
) -> None:
    """The page's design: solid, dashed, dotted, struck and double, with a sign besides."""
    page.open(told(client, name, *GREENHOUSE))
    assert [page.look(claim) for claim in ("o1", "h1", "o2")] == ["given_up", "fell", "stands"]
    strokes = page.run(
        "return ['o1', 'h1', 'o2'].map(id => document.querySelector(`[data-claim=${id}]`))"
        ".map(each => getComputedStyle(each)).map(style => `${style.textDecorationLine} ${style.textDecorationStyle}`)"
    )
    assert strokes == ["line-through solid", "underline double", "underline solid"]
    assert page.run("return document.querySelector('[data-claim=h1] .sign').textContent") == "▽"
    assert page.run("return document.querySelector('[data-claim=o1]').textContent").startswith(
        "The soil of the left bed is dry"
    )


def test_the_time_bar_reads_both_halves_as_of_then(page: Page, client: Client, name: str) -> None:
    """The page's design: dragging it re-reads both halves."""
    page.open(told(client, name, *GREENHOUSE))
    page.sees("h1", ".graph")
    page.to_place(2)
    page.sees("T2 · Ben · 2 of 5", ".time")
    assert (page.look("o1"), page.look("h1")) == ("stands", "live")
    page.until("[...document.querySelectorAll('.graph [data-node]')].map(n => n.dataset.node).join() == 'o1,h1'")
    page.until("location.hash.includes('at=T2')")
    page.button("On to the next change").click()
    page.sees("T4 · Ben · 4 of 5", ".time")
    assert page.look("h1") == "stands"
    page.button("Now", ".time").click()
    page.sees("5 of 5", ".time")
    assert page.look("h1") == "fell"


def test_play_walks_through_the_turns(page: Page, client: Client, name: str) -> None:
    """The page's design: play walks through."""
    page.open(told(client, name, *GREENHOUSE))
    page.sees("5 of 5", ".time")
    page.button("Speed").click()
    page.button("Speed").click()
    page.button("Play").click()
    page.sees("T1 · Ann · 1 of 5", ".time")
    page.sees("T5 · Ann · 5 of 5", ".time")
    page.button("Play")


def test_a_claim_that_is_clicked_is_selected_everywhere_and_says_why(page: Page, client: Client, name: str) -> None:
    """The page's design: selected in the text, the graph and the panel, with a tree down to quotes."""
    page.open(told(client, name, *GREENHOUSE))
    page.click(".transcript [data-claim=h1]")
    page.find(".graph [data-node=h1].selected")
    page.sees("The meter of the pump reads zero.", ".panel .why")
    page.sees("Lifecycle resolved, since T4 Standing out, since T5", ".panel")
    page.sees("Fallen under it o1", ".panel")
    page.until("location.hash.includes('claim=h1')")
    page.button("Close the claim").click()
    page.until("!document.querySelector('.panel')")


def test_a_link_leads_to_a_moment_and_a_claim(page: Page, client: Client, name: str) -> None:
    """Our promise: every view can be sent to somebody."""
    page.open(f"{told(client, name, *GREENHOUSE)}?at=T3&claim=h1")
    page.sees("T3 · Ann · 3 of 5", ".time")
    page.sees("live, not settled", ".panel")


def test_everything_is_reached_by_keyboard(page: Page, client: Client, name: str) -> None:
    """The page's design: everything by keyboard, focus visible."""
    page.open(told(client, name, *GREENHOUSE))
    page.look("o1")
    page.run("document.querySelector('.scroller').focus()")
    for _ in range(20):
        page.press(Keys.TAB)
        if page.run("return document.activeElement.dataset.claim") == "o1":
            break
    assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.sees("The soil of the left bed is dry.", "[role=tooltip]")
    page.press(Keys.ENTER)
    page.sees("o1 observation", ".panel h2")
    page.run("document.querySelector('.graph [data-node=h1]').focus()")
    page.press(Keys.SPACE)
    page.sees("h1 hypothesis", ".panel h2")


def test_what_if_shows_what_would_fall_and_does_it_only_with_a_reason(page: Page, client: Client, name: str) -> None:
    """The page's design: counts and list before anything is done; the reason becomes an entry."""
    page.open(f"{told(client, name, *GREENHOUSE[:4])}?claim=o1")
    page.button("it were taken back?").click()
    page.sees("If o1 is taken back: 1 would fall. Nothing has been changed.", ".preview")
    page.find(".graph [data-node=h1].supposed-falls")
    page.find(".transcript [data-claim=h1].supposed-falls")
    version = client.get(f"/v1/conversations/{name}").tree["version"]
    assert not page.button("Do it", ".preview").is_enabled()
    page.write("#reason", "The probe was wrong.")
    page.button("Do it", ".preview").click()
    page.sees("Taken back #5", ".transcript")
    page.sees("o1 is taken back: The probe was wrong.", ".transcript")
    assert client.get(f"/v1/conversations/{name}").tree["version"] == version + 1
    assert page.look("h1") == "fell"


def test_somebody_who_wrote_meanwhile_is_not_overruled(page: Page, client: Client, name: str) -> None:
    """Our promise: what is done was seen on the record as it is; else nothing is done, and it is seen anew first."""
    page.open(f"{told(client, name, *GREENHOUSE[:4])}?claim=o1")
    page.button("it were false?").click()
    page.write("#reason", "Wrong.")
    client.post(f"/v1/conversations/{name}/turns", {"speaker": "ben", "text": "Wait.", "operations": []})
    page.sees("Wait.", ".transcript")
    page.button("Do it", ".preview").click()
    page.sees("Somebody else wrote first", ".preview")
    page.button("Try again", ".preview").click()
    page.until("!document.querySelector('.preview .failure')")
    page.button("Do it", ".preview").click()
    page.sees("o1 is false: Wrong.", ".transcript")


def test_the_brief_is_one_click_away_and_copies_as_markdown(page: Page, client: Client, name: str) -> None:
    """The page's design: what to look at again, what not to reopen and why."""
    page.browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    page.open(f"{told(client, name, *GREENHOUSE[:4])}?claim=o1")
    page.button("it were taken back?").click()
    page.button("Brief", ".preview").click()
    page.sees("No longer holds h1 The pump is off.", "dialog")
    page.button("Copy as Markdown").click()
    page.sees("Copied as Markdown", "dialog")
    copied = page.browser.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], e => arguments[0](String(e)))"
    )
    assert copied.startswith(f"# {name}: o1 is taken back\n\n## No longer holds\n\n- h1")


def test_a_formula_is_asked_by_agent(page: Page, client: Client, name: str) -> None:
    """The page's design: a formula box for questions of belief and knowledge."""
    page.open(f"{told(client, name, *GREENHOUSE[:4])}?claim=o2")
    page.button("Ask", ".formula").click()
    page.sees("Ann yes", ".panel table")
    page.write("#formula", "B_ann o2")
    page.button("Ask", ".formula").click()
    page.sees("It holds.", ".panel")
    page.write("#formula", "o2 &")
    page.button("Ask", ".formula").click()
    page.until("!document.querySelector('.panel').innerText.includes('It holds.')")


def test_like_grounds_are_one_crowd_that_opens(page: Page, client: Client, name: str) -> None:
    """The page's design: clusters collapse to "12 observations"."""
    grounds = [{"op": "observe", "id": f"o{n}", "text": f"Lamp {n} is out."} for n in range(12)]
    guess = {
        "op": "hypothesize",
        "id": "h1",
        "text": "The fuse blew.",
        "depends_on": [each["id"] for each in grounds],
        "novel": True,
    }
    page.open(f"{told(client, name, ('ann', 'All lamps.', grounds), ('ben', 'The fuse?', [guess]))}?claim=h1")
    page.button("12 observations", ".graph").click()
    page.until("document.querySelectorAll('.graph [data-node]').length == 13")


def test_what_is_exported_is_the_conversation(page: Page, client: Client, name: str) -> None:
    """Issue 6: an export menu."""
    page.open(told(client, name, *GREENHOUSE))
    page.run(
        "window.saved = []; const make = URL.createObjectURL;"
        "URL.createObjectURL = blob => { blob.text().then(text => saved.push(text)); return make(blob) }"
    )
    page.button("Export").click()
    page.button("All of it, as JSON").click()
    text = page.until("window.saved[0]")
    assert [turn["speaker"] for turn in json.loads(text)["turns"]] == ["ann", "ben", "ann", "ben", "ann"]


def test_all_turns_are_printed_and_not_only_those_on_the_screen(page: Page, client: Client, name: str) -> None:
    """The page's design: prints well."""
    turns = [("ann", f"This is remark {n}.", ()) for n in range(60)]
    page.open(told(client, name, *turns))
    page.sees("This is remark 59.", ".transcript")
    assert page.run("return document.querySelectorAll('article').length") < 40
    assert page.run("dispatchEvent(new Event('beforeprint')); return document.querySelectorAll('article').length") == 60
    page.run("dispatchEvent(new Event('afterprint'))")
    page.until("document.querySelectorAll('article').length < 40")
