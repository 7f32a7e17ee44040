"""Make the picture of the page that the README shows: the sample conversation, in a real browser.

    python web/picture.py [docs/figures/page.png]

It needs the page as built by ``make page``, selenium, and Chromium with its driver.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "figures" / "page.png"
WIDE = (1400, 860)
PATIENCE = 30.0


def main() -> None:
    """Serve a sample, look at it, and keep what is seen."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with log.open("w") as written:
            command = [sys.executable, "-m", "upheld.faces.cli", "serve", "--port", "0"]
            served = subprocess.Popen([*command, "--store", f"sqlite:///{folder}/sample.db"], stderr=written)
        try:
            target.write_bytes(seen(address(log)))
        finally:
            served.terminate()
            served.wait(PATIENCE)


def address(log: Path) -> str:
    """Give where the service listens, once it does."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        _, found, rest = log.read_text("utf-8").partition("listening on ")
        if found and ";" in rest:
            return rest.partition(";")[0]
        time.sleep(0.05)
    raise RuntimeError(f"the service did not start: {log.read_text('utf-8')}")


def seen(url: str) -> bytes:
    """Open the first conversation of the list, and give what a person sees of it, as a PNG."""
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDE[0]},{WIDE[1]}"):
        options.add_argument(argument)
    driver = shutil.which("chromedriver")
    browser = Chrome(options=options, service=Service(driver) if driver else Service())
    try:
        size = {"width": WIDE[0], "height": WIDE[1], "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(url)
        waited(browser, "return document.querySelector('a[href^=\"#/c/\"]') !== null")
        browser.execute_script("document.querySelector('a[href^=\"#/c/\"]').click()")
        waited(browser, "return document.querySelectorAll('.react-flow__node').length > 3")
        # Until the graph has come to rest.
        time.sleep(2)
        return bytes(browser.get_screenshot_as_png())
    finally:
        browser.quit()


def waited(browser: Chrome, script: str) -> None:
    """Wait until a script says yes."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if browser.execute_script(script):
            return
        time.sleep(0.05)
    raise RuntimeError(f"the page never came to: {script}")


if __name__ == "__main__":
    main()
