from collections.abc import Iterator

from upheld import Guard
from upheld.conversation.guard.verdict import Blocked


def tokens() -> Iterator[str]:
    """Stand in for a language model that streams."""
    yield from ("Noted. Your deliv", "ery goes to 12 El", "m Street. I have ", "called the courier.")


guard = Guard.open("ephemeral:")
guard.said("user", "The delivery goes to 12 Elm Street.")
guard.said("user", "No wait, the delivery goes to 14 Oak Street.")

stream = guard.hold_back(tokens())
try:
    for sentence in stream:
        print("out:", sentence)
    stream.hold(lambda: print("called"))  # a tool of the same turn: not run, because the text before it does not stand
except Blocked as blocked:
    print("blocked:", blocked.verdict.rewritten)
guard.sent(stream.left)
