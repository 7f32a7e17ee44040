"""The first minute on the page: nothing on record yet, samples, files, keys, and what failed."""

from __future__ import annotations

import json
from pathlib import Path

from ..conftest import Client, Keys, Start
from .conftest import GREENHOUSE, Page, told

DROP = """
const transfer = new DataTransfer();
transfer.items.add(new File([arguments[1]], arguments[0]));
const told = { bubbles: true, cancelable: true, dataTransfer: transfer };
for (const kind of ["dragenter", "dragover", "drop"])
    document.querySelector("main").dispatchEvent(new DragEvent(kind, told));
"""


def test_where_nothing_is_on_record_a_sample_is_one_click_away(page: Page, start: Start) -> None:
    """The page's design: a sample, and the lines that send the first turn."""
    service = start()
    new = Page(browser=page.browser, port=service.port)
    new.open()
    new.sees("No conversation is on record yet")
    new.sees(f"curl http://127.0.0.1:{service.port}/v1/conversations/first/turns", "pre")
    new.click(".sample")
    new.until("location.hash.startsWith('#/c/')")
    new.find(".transcript .mark")
    new.find(".graph [data-node]")


def test_conversations_are_listed_and_lead_to_themselves(page: Page, client: Client, name: str) -> None:
    """Issue 6: the list of conversations."""
    told(client, name, *GREENHOUSE)
    page.open()
    page.write("input[type=search]", name)
    page.button(name, ".talks").click()
    page.sees("The soil of the left bed is dry.", ".transcript")


def test_the_list_tells_titles_and_where_somebody_is_waited_for(page: Page, start: Start) -> None:
    """Our promise to whoever chooses: a title, and the flagged replies that nobody decided."""
    service = start()
    assert service.client().post("/v1/samples/greenhouse", {}).status == 201
    new = Page(browser=page.browser, port=service.port)
    new.open()
    new.sees("Why the seedlings wilt sample-greenhouse ⚑ 1 reply waits", ".talks")
    new.write("input[type=search]", "seedlings")
    new.button("Why the seedlings wilt", ".talks").click()
    new.sees("The mister has a clogged nozzle, so I can order a nozzle set today.", ".transcript")


def test_a_file_that_is_dropped_anywhere_is_taken_in_and_shown(page: Page, client: Client, name: str) -> None:
    """The page's design: read by the service on this machine, and shown under the name of the file."""
    page.open("#/search")
    page.sees("Search")
    messages = [
        {"role": "user", "content": "The pump is off."},
        {"role": "assistant", "content": "Then the bed is dry."},
    ]
    page.run(DROP, f"{name}.json", json.dumps(messages))
    page.sees(f"2 turns of {name} are on record", ".notice")
    page.sees("Then the bed is dry.", ".transcript")
    page.run(DROP, f"{name}.json", json.dumps(messages))
    page.sees(f"{name}.json was not taken in", ".notice")
    page.sees("Nothing of it is on record.", ".notice")
    page.write("#drop-name", f"{name}-again")
    page.button("Try again", ".notice").click()
    page.until(f"location.hash.startsWith('#/c/{name}-again')")
    assert client.get(f"/v1/conversations/{name}-again").status == 200


def test_one_of_a_file_of_several_is_chosen_by_its_title(page: Page, client: Client, name: str) -> None:
    """A fault that was found by hand: what chat programs export holds all conversations, and was refused."""
    page.open("#/")
    page.sees("Conversations")
    exported = [
        {"id": "a/1", "conversations": [{"from": "human", "value": "The pump is off."}]},
        {"id": "b2", "conversations": [{"from": "human", "value": "The gate is shut."}]},
    ]
    page.run(DROP, f"{name}.json", json.dumps(exported))
    page.sees("Take it in", ".notice")
    page.run(
        "const s = document.querySelector('#drop-choice'); s.value = 'b2';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    page.button("Take it in", ".notice").click()
    page.sees("The gate is shut.", ".transcript")
    assert client.get(f"/v1/conversations/{name}-b2").status == 200


def test_a_file_is_opened_by_hand_as_well(page: Page, name: str, tmp_path: Path) -> None:
    """Our promise: nothing needs a mouse that drags."""
    file = tmp_path / f"{name}.txt"
    file.write_text("Ann: The pump is off.\nBen: I see.\n", "utf-8")
    page.open()
    page.until("document.querySelector('.file input')")
    page.run("return document.querySelector('.file input')").send_keys(str(file))
    page.sees("The pump is off.", ".transcript")


def test_a_key_is_asked_for_and_kept_in_the_tab_alone(page: Page, start: Start, keys: Keys) -> None:
    """Issue 6: kept in the storage of the session only."""
    service = start(keys=str(keys.path), tenants=True)
    key = keys.texts["acme/writer"]
    told(service.client(key), "secret-talk", *GREENHOUSE)
    new = Page(browser=page.browser, port=service.port)
    new.open("#/c/secret-talk")
    new.sees("This service asks for a key")
    new.write("#key", "upheld_acme_wrong")
    new.button("Use it").click()
    new.sees("This service asks for a key")
    new.write("#key", key)
    new.button("Use it").click()
    new.sees("The soil of the left bed is dry.", ".transcript")
    new.sees("live", ".live")
    assert new.run("return [localStorage.length, document.cookie, location.href.includes('upheld_')]") == [0, "", False]
    new.button("Forget the key").click()
    new.sees("This service asks for a key")


def test_what_failed_is_said_and_can_be_tried_again(page: Page, start: Start) -> None:
    """The page's design: what failed, what was kept, try again."""
    service = start()
    told(service.client(), "talk", *GREENHOUSE)
    new = Page(browser=page.browser, port=service.port)
    new.open("#/c/nobody-began-this")
    new.sees("nobody-began-this could not be opened There is no such conversation")
    new.open("#/")
    new.sees("talk", ".talks")
    new.run(
        "window.fetched = fetch; window.fetch = () => Promise.reject(new TypeError('gone')); location.hash = '#/c/talk'"
    )
    new.sees("The service does not answer")
    new.sees("what is on record stays there")
    new.run("window.fetch = window.fetched")
    new.button("Try again").click()
    new.sees("The soil of the left bed is dry.", ".transcript")


def test_something_is_shown_before_the_service_has_answered(page: Page, client: Client, name: str) -> None:
    """The page's design: a skeleton within 100 ms."""
    there = told(client, name, *GREENHOUSE)
    page.open()
    page.sees("Conversations", "h1")
    shown = page.browser.execute_async_script(
        """const done = arguments[1], begun = performance.now(), real = fetch;
        window.fetch = (...a) => new Promise(r => setTimeout(r, 1500)).then(() => real(...a));
        const isThere = () => document.querySelector(".skeleton");
        const look = () => isThere() ? done(performance.now() - begun) : requestAnimationFrame(look);
        location.hash = arguments[0]; look();""",
        there,
    )
    assert shown < 500, "100 ms are aimed at; the bound allows for a busy machine"
    page.sees("The soil of the left bed is dry.", ".transcript")
