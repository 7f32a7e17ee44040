"""The page in a real browser, before the real service on loopback."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from upheld.faces.server.page.serving import STATIC

from ..conftest import PATIENCE, Client

ROOT = Path(__file__).resolve().parents[4]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"

WIDE = (1440, 900)
PHONE = (390, 844)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A tab of a browser, and what a person does in it."""

    browser: Chrome
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
        try:
            return WebDriverWait(self.browser, patience, poll_frequency=0.05).until(
                lambda _: self.run(f"return {expression}")
            )
        except TimeoutException:
            shown = self.run("return document.body.innerText")
            raise AssertionError(f"never came true: {expression}\n{shown[:2000]}") from None

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
            ActionChains(self.browser).send_keys(key).perform()

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
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, e => done({error: String(e)}));"
        )
        assert "error" not in found, found
        return [
            f"{each['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for each in found["violations"]
            if each["impact"] in {"serious", "critical"}
            for node in each["nodes"]
        ]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Chrome]:
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
    downloads = tmp_path_factory.mktemp("downloads")
    options.add_experimental_option("prefs", {"download.default_directory": os.fspath(downloads)})
    browser = Chrome(options=options, service=Service(driver))
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture
def page(browser: Chrome, client: Client) -> Page:
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
    path = client.begin(name, {"id": "ann", "name": "Ann"}, {"id": "ben", "name": "Ben"}, {"id": "bot", "kind": "assistant"})
    for speaker, text, operations in turns:
        answer = client.post(f"{path}/turns", {"speaker": speaker, "text": text, "operations": list(operations)})
        assert answer.status == 201, answer.body
    return f"#/c/{name}"


GREENHOUSE = (
    ("ann", "The soil of the left bed is dry. Has anybody an idea?", [{"op": "observe", "id": "o1", "text": "The soil of the left bed is dry."}]),
    (
        "ben",
        "Maybe the pump is off.",
        [{"op": "hypothesize", "id": "h1", "text": "The pump is off.", "explains": ["o1"], "depends_on": ["o1"]}],
    ),
    ("ann", "The meter of the pump reads zero.", [{"op": "observe", "id": "o2", "text": "The meter of the pump reads zero."}]),
    ("ben", "That settles it.", [{"op": "support", "target": "h1", "evidence": ["o2"], "specific": True}, {"op": "resolve", "target": "h1", "mode": "consensual"}]),
    ("ann", "No: the probe was broken, the soil is wet.", [{"op": "observe", "id": "o3", "text": "The probe is broken."}, {"op": "revise", "target": "o1", "because": ["o3"]}]),
)  # fmt: skip
"""A reading, a guess upon it that is settled, and the reading given up: the guess falls at the fifth turn."""
