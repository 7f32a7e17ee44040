"""Search across conversations, and comparison of two moments or two conversations, on the page."""

from __future__ import annotations

from ..conftest import Client
from .conftest import GREENHOUSE, Page, told


def test_claims_are_found_across_conversations_with_how_they_stand(page: Page, client: Client, name: str) -> None:
    """The page's design: claims with standing, as of a date."""
    told(client, f"{name}-a", *GREENHOUSE)
    told(client, f"{name}-b", *GREENHOUSE[:1])
    page.open("#/search")
    page.write("input[type=search]", "left bed soil")
    page.button("Search", "main").click()
    page.sees(f"The soil of the left bed is dry. ● stands {name}-b", ".hits")
    page.until(f"!document.querySelector('.hits').innerText.includes('{name}-a')")
    page.click("input[type=checkbox]")
    page.button("Search", "main").click()
    page.sees(f"The soil of the left bed is dry. ✕ given up {name}-a", ".hits")
    page.click(".hits a")
    page.sees("o1 observation", ".panel h2")


def test_a_day_before_anybody_spoke_finds_nothing(page: Page, client: Client, name: str) -> None:
    """The page's design: as of a date."""
    told(client, name, *GREENHOUSE)
    page.open("#/search?words=pump&as_of=2001-01-01T23:59:59Z")
    page.sees("No claim was found, as it stood at the end of 2001-01-01.")


def test_two_moments_are_compared(page: Page, client: Client, name: str) -> None:
    """The page's design: what is new, gone, changed."""
    told(client, name, *GREENHOUSE)
    page.open(f"#/compare/{name}?from=T2")
    page.sees("New (2)")
    page.sees("Stands otherwise (2)")
    page.sees("h1 The pump is off. active, in resolved, out")
    page.run("document.querySelectorAll('select')[2].focus()")
    page.press("T3")
    page.until("location.hash.includes('to=T3')")
    page.sees("New (1)")


def test_two_conversations_are_compared(page: Page, client: Client, name: str) -> None:
    """The page's design: two conversations."""
    told(client, f"{name}-a", *GREENHOUSE[:2])
    told(client, f"{name}-b", *GREENHOUSE)
    page.open(f"#/compare/{name}-a?with={name}-b")
    page.sees(f"Only in {name}-b (2)")
    page.sees("Stands otherwise (2)")


def test_what_does_not_differ_is_said_not_to(page: Page, client: Client, name: str) -> None:
    """Our promise: no empty table."""
    told(client, name, *GREENHOUSE)
    page.open(f"#/compare/{name}?from=T5")
    page.sees("Nothing differs.")
