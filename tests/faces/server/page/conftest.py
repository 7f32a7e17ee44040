"""The page in a real browser, before the real service on loopback."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from upheld.faces.server.page.serving import STATIC

from ..conftest import PATIENCE, Client

ROOT = Path(__file__).resolve().parents[4]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"

WIDE = (1440, 900)
PHONE = (390, 844)


class Browser(Protocol):
    """What is used of a browser; the types of selenium leave parts of it open."""

    def get(self, url: str) -> None:
        """Go somewhere."""
        ...

    def execute_script(self, script: str, *values: Any) -> Any:
        """Run a script, and give what it returns."""
        ...

    def execute_async_script(self, script: str, *values: Any) -> Any:
        """Run a script, and give what it hands to its last argument."""
        ...

    def execute_cdp_cmd(self, cmd: str, cmd_args: Mapping[str, Any]) -> Any:
        """Tell the browser something about itself."""
        ...

    def get_log(self, log_type: str) -> list[dict[str, Any]]:
        """Give what the page wrote into its log since the last look."""
        ...

    def quit(self) -> None:
        """End it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A tab of a browser, and what a person does in it."""

    browser: Browser
    port: int

    def open(self, there: str = "#/") -> None:
        """Go to an address of the page, as by a link from elsewhere."""
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{self.port}/{there}")

    def run(self, script: str, *values: Any) -> Any:
        """Run a script in the page."""
        return self.browser.execute_script(script, *values)

    def until(self, expression: str, *, patience: float = PATIENCE) -> Any:
        """Wait until an expression of the page is true, and give its value."""
        deadline = time.monotonic() + patience
        while True:
            found = self.run(f"return {expression}")
            if found:
                return found
            if time.monotonic() > deadline:
                shown = self.run("return document.body.innerText")
                raise AssertionError(f"never came true: {expression}\n{shown[:2000]}")
            time.sleep(0.05)

    def sees(self, words: str, where: str = "body") -> None:
        """Wait until some words are shown somewhere."""
        told = f"document.querySelector({json.dumps(where)})?.innerText.replace(/\\s+/g, ' ')"
        self.until(f"{told}?.includes({json.dumps(words)})")

    def find(self, selector: str) -> WebElement:
        """Wait for an element that is shown, and give it."""
        self.until(f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        found: WebElement = self.run("return document.querySelector(arguments[0])", selector)
        return found

    def button(self, words: str, where: str = "body") -> WebElement:
        """Wait for a button or a link with these words, and give it."""
        script = (
            f"[...document.querySelectorAll({json.dumps(where)} + ' :is(button, a, summary)')]"
            f".find(each => (each.ariaLabel ?? each.innerText).trim().startsWith({json.dumps(words)}))"
        )
        found: WebElement = self.until(script)
        return found

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.run("arguments[0].scrollIntoView({block: 'center'})", self.find(selector))
        self.find(selector).click()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        for key in keys:
            ActionChains(cast("Chrome", self.browser)).send_keys(key).perform()

    def write(self, selector: str, words: str) -> None:
        """Write into a field, in place of what is there."""
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(words)

    def to_place(self, place: int) -> None:
        """Move the time bar to a place, as a hand does."""
        self.run(
            """const bar = document.querySelector(".time input");
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
            set.call(bar, String(arguments[0]));
            bar.dispatchEvent(new Event("input", { bubbles: true }));""",
            place,
        )

    def look(self, claim: str) -> str:
        """Give how a claim is drawn in the transcript."""
        found = self.until(f"document.querySelector('.transcript [data-claim={json.dumps(claim)}]')?.className")
        return next(name for name in str(found).split() if name.startswith("look-")).removeprefix("look-")

    def size(self, size: tuple[int, int]) -> None:
        """Give the window a size."""
        width, height = size
        told = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", told)

    def scheme(self, scheme: str) -> None:
        """Let the system be light or dark."""
        told = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", told)

    def axe(self) -> Sequence[str]:
        """Give what axe finds that is serious or critical."""
        self.run(AXE.read_text("utf-8"))
        found = self.browser.execute_async_script(
            "const done = arguments[0];"
            "axe.run().then(({violations, passes}) => done({violations, passes: passes.length}),"
            " error => done({error: String(error)}));"
        )
        assert found.get("passes", 0) > 0, found
        return [
            f"{each['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for each in found["violations"]
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Browser]:
    """A browser without a window; the tests are skipped where there is none, or the page was not built."""
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page was not built: make page")
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which(DRIVER)
    if binary is None or driver is None:
        pytest.skip("there is no Chromium with its driver: apt-get install chromium chromium-driver")
    options = Options()
    options.binary_location = binary
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(each)
    browser = cast("Browser", Chrome(options=options, service=Service(driver)))
    downloads = os.fspath(tmp_path_factory.mktemp("downloads"))
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": downloads})
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture
def page(browser: Browser, client: Client) -> Page:
    """A tab before the service of the module, wide and light, with nothing kept from the test before."""
    page = Page(browser=browser, port=client.port)
    page.open("openapi.json")
    page.run("sessionStorage.clear(); localStorage.clear()")
    page.size(WIDE)
    page.scheme("light")
    browser.get_log("browser")
    return page


def told(client: Client, name: str, *turns: tuple[str, str, Sequence[dict[str, Any]]]) -> str:
    """Begin a conversation and tell it turns of speaker, words and operations; give its address on the page."""
    path = client.begin(
        name, {"id": "ann", "name": "Ann"}, {"id": "ben", "name": "Ben"}, {"id": "bot", "kind": "assistant"}
    )
    for speaker, text, operations in turns:
        answer = client.post(f"{path}/turns", {"speaker": speaker, "text": text, "operations": list(operations)})
        assert answer.status == 201, answer.body
    return f"#/c/{name}"


def _seen(id: str, text: str) -> dict[str, Any]:
    return {"op": "observe", "id": id, "text": text}


DRY = "The soil of the left bed is dry."
ZERO = "The meter of the pump reads zero."

GREENHOUSE: Sequence[tuple[str, str, Sequence[dict[str, Any]]]] = (
    ("ann", f"{DRY} Has anybody an idea?", [_seen("o1", DRY)]),
    (
        "ben",
        "Maybe the pump is off.",
        [{"op": "hypothesize", "id": "h1", "text": "The pump is off.", "explains": ["o1"], "depends_on": ["o1"]}],
    ),
    ("ann", ZERO, [_seen("o2", ZERO)]),
    (
        "ben",
        "That settles it.",
        [
            {"op": "support", "target": "h1", "evidence": ["o2"], "specific": True},
            {"op": "resolve", "target": "h1", "mode": "consensual"},
        ],
    ),
    (
        "ann",
        "No: the probe was broken, the soil is wet.",
        [_seen("o3", "The probe is broken."), {"op": "revise", "target": "o1", "because": ["o3"]}],
    ),
)
"""A reading, a guess upon it that is settled, and the reading given up: the guess falls at the fifth turn."""
