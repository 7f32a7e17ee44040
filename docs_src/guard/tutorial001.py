import asyncio

from upheld import Guard


async def replies(note: str = "") -> str:
    """Stand in for a language model."""
    return "Your delivery goes to 14 Oak Street." if note else "Your delivery goes to 12 Elm Street. Anything else?"


async def chat() -> None:
    """Ask, check, and ask again with the reason."""
    with Guard.open("sqlite:///upheld.db", conversation="ticket-4711") as guard:
        guard.said("user", "The delivery goes to 12 Elm Street.")
        guard.said("user", "No wait, the delivery goes to 14 Oak Street.")

        reply = await replies()
        verdict = await guard.check(reply)
        print(verdict.for_people())
        print("could be sent:", verdict.rewritten)
        if not verdict.passes:
            reply = await replies(verdict.for_model())
            print((await guard.check(reply)).action)
        guard.sent(reply)


asyncio.run(chat())
