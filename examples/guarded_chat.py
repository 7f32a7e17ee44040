"""A chat with a guard, in the terminal: ``python examples/guarded_chat.py``. No key, no network.

The assistant is a stub that is slow to learn: it repeats the first address it heard until it is told what was wrong.
Say such as "The delivery goes to 12 Elm Street.", then "No wait, the delivery goes to 14 Oak Street.", and watch what
is held back. In place of ``reply_of`` call the language model of your choice, with ``verdict.for_model()`` as one more
message when it is asked again. An empty line ends the chat.
"""

# ruff: noqa: T201
from __future__ import annotations

import re

from upheld import Guard

ADDRESS = re.compile(r"\d+ [A-Z]\w+ Street")


def reply_of(heard: list[str], note: str = "") -> str:
    """Give the stub's reply; a note makes it use the newest address that it heard."""
    addresses = [found for text in heard for found in ADDRESS.findall(text)]
    if not addresses:
        return "Where shall it go?"
    return f"The delivery goes to {addresses[-1 if note else 0]}. Anything else?"


def main() -> None:
    """Talk until an empty line."""
    heard: list[str] = []
    with Guard.open("ephemeral:", policy="retry once, then block") as guard:
        while text := input("you> ").strip():
            heard.append(text)
            guard.said("user", text)
            verdict = guard.check_now(reply_of(heard))
            if not verdict.passes:
                print(f"  held back: {verdict.reply}\n  {verdict.for_people()}")
                verdict = guard.check_now(reply_of(heard, verdict.for_model()))
            if verdict.passes:
                print(f"assistant> {verdict.reply}")
                guard.sent(verdict.reply)


if __name__ == "__main__":
    main()
