"""Every exception that upheld raises on purpose, drawn where it is defined.

::

    UpheldError
    ├── RefusedTurn            an operation's precondition failed; the state is as before the turn
    ├── UnknownReference       an id that nobody introduced (also a KeyError)
    ├── RepeatedIdentity       an id introduced twice with different content
    ├── SelfSupport            a claim given as its own ground
    ├── MalformedInput         a stranger's data cannot mean anything: file, line and key are named
    │   ├── SeveralConversations   a file of several, and none was named
    │   └── MalformedFormula   a formula's text does not parse
    ├── LimitExceeded          over a stated limit: refused, never passed silently
    ├── CouldNotCheck          no verdict could be reached (is not "checked and not grounded")
    ├── ModelFailure           a language model gave nothing to go by; only what was asked of it failed
    │   ├── ModelUnreachable   no answer: refused, over the rate limit after all retries, too late
    │   ├── UnusableReply      an answer, but not what was asked for: no JSON, the schema itself, an unknown id
    │   ├── NoRecording        only recorded replies may be used, and there is none of this request
    │   └── BudgetSpent        what may be spent is spent; what was done is kept, and it can go on later
    ├── StoreError             the record could not be read or written
    │   ├── VersionConflict    somebody appended first; read again and retry
    │   ├── UnknownConversation
    │   │   └── DroppedConversation  its record went, whole, while somebody had it open
    │   ├── StillNeeded        what is to be erased is built on by a later turn; nothing was erased
    │   ├── UnreadableEntry    an entry of a newer or damaged schema
    │   └── DamagedStore       the medium below the entries is broken: a torn file, a page that makes no sense
    ├── ServiceError           a service that was asked over the network gave no answer, or refused for its own reasons
    └── MissingExtra           an optional dependency is absent; the message is the install line
"""

from __future__ import annotations

from collections.abc import Mapping


class UpheldError(Exception):
    """Root of every deliberate error, so that one ``except`` can catch them all."""


class RefusedTurn(UpheldError):
    """An operation's precondition does not hold, so the whole turn is refused.

    An interpreter is asked again with the failure; a caller sees which operation, and what to do instead.
    Nothing was changed.
    """

    def __init__(self, failure: str, message: str, *, turn: str = "", operation: int = -1) -> None:
        """``failure`` is the stable name of the precondition, ``operation`` its index in the turn."""
        where = f"{turn} operation {operation + 1}: " if turn and operation >= 0 else ""
        super().__init__(f"{where}{failure}: {message}")
        self.failure = failure
        self.reason = message
        self.turn = turn
        self.operation = operation


class UnknownReference(UpheldError, KeyError):
    """An id that nobody introduced before it was referred to."""

    def __init__(self, reference: str, *, where: str = "") -> None:
        """``reference`` is the id, ``where`` the place that names it."""
        super().__init__(reference)
        self.reference = reference
        self.where = where

    def __str__(self) -> str:
        """Say the id and where it was used, without the quotes of a KeyError."""
        suffix = f" (in {self.where})" if self.where else ""
        return f"nobody introduced {self.reference!r}{suffix}"


class RepeatedIdentity(UpheldError):
    """An id that is already taken by something else."""


class SelfSupport(UpheldError):
    """A claim was given as its own ground; nothing holds itself up."""


class MalformedInput(UpheldError):
    """A file or message that cannot mean anything; says where, so that a person can mend it."""

    def __init__(self, message: str, *, source: str = "", line: int = 0, key: str = "") -> None:
        """``line`` counts from 1 (0: unknown); ``key`` is a dotted path such as ``turns[3].speaker``."""
        place = source + (f":{line}" if line else "")
        parts = [part for part in (place, key, message) if part]
        super().__init__(": ".join(parts))
        self.message = message
        self.source = source
        self.line = line
        self.key = key


class SeveralConversations(MalformedInput):
    """A file of several conversations, of which one is to be named; ``conversations`` has their titles by their ids."""

    def __init__(self, message: str, *, conversations: Mapping[str, str], source: str = "") -> None:
        """Of a file of very many only the first are listed."""
        super().__init__(message, source=source)
        self.conversations = dict(conversations)


class MalformedFormula(MalformedInput):
    """A formula whose text does not parse; ``column`` counts characters from 0."""

    def __init__(self, message: str, *, text: str = "", column: int = 0) -> None:
        """Point at the offending column of ``text``."""
        pointer = f"{message} at column {column} of {text!r}" if text else message
        super().__init__(pointer)
        self.text = text
        self.column = column


class LimitExceeded(UpheldError):
    """The input is over a stated limit; it is refused whole."""


class CouldNotCheck(UpheldError):
    """No verdict could be reached: that is not a verdict."""


class ModelFailure(UpheldError):
    """A language model gave nothing to go by. The state is as before; other turns and replies are not touched.

    What it cost nevertheless: calls that left this process, and tokens as far as the provider reported them.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class ModelUnreachable(ModelFailure):
    """No answer came: the connection or the request was refused, the rate limit held, or it was too late."""


class UnusableReply(ModelFailure):
    """An answer came that is not what was asked for, and the one repair that is asked for did not mend it."""

    def __init__(self, message: str, *, reply: str = "") -> None:
        """``reply`` is the text that came, for whoever looks into it."""
        super().__init__(message)
        self.reply = reply


class NoRecording(ModelFailure):
    """Replies are taken from a recording, and it has none for this request; ``key`` names the request."""

    def __init__(self, key: str, *, prompt: str) -> None:
        """``key`` is that of the request, ``prompt`` the name and version of its instructions."""
        super().__init__(f"no reply was recorded for request {key[:16]} ({prompt})")
        self.key = key
        self.prompt = prompt


class BudgetSpent(ModelFailure):
    """The calls or tokens that were allowed are used up. Nothing was sent; it can go on with a larger allowance."""


class StoreError(UpheldError):
    """The record could not be read or written."""


class VersionConflict(StoreError):
    """Another writer appended first: read the conversation again and retry."""

    def __init__(self, conversation: str, *, expected: int, found: int) -> None:
        """Versions are entry counts: ``expected`` by the writer, ``found`` in the store."""
        super().__init__(f"conversation {conversation!r} is at version {found}, not {expected}: read it and retry")
        self.conversation = conversation
        self.expected = expected
        self.found = found


class UnknownConversation(StoreError):
    """The store has no conversation of that name."""


class DroppedConversation(UnknownConversation):
    """The record that was open here went, whole; a later one of that name is another. Open it anew, if it is there."""

    def __init__(self, conversation: str) -> None:
        """``conversation`` is the name that it had."""
        super().__init__(
            f"the record of conversation {conversation!r} that was open here is gone: it was dropped, or its store put"
            " back from a copy; nothing was written"
        )
        self.conversation = conversation


class StillNeeded(StoreError):
    """A later turn builds on what is to be erased: erase what that one means first."""


class UnreadableEntry(StoreError):
    """An entry was written by a newer version, or is damaged."""


class DamagedStore(StoreError):
    """The medium below the entries is damaged; what is left can be read entry by entry, or from a copy."""


class ServiceError(UpheldError):
    """A service gave no answer, or one that this tree has no error for: no key, a fault of its own."""

    def __init__(self, message: str, *, status: int = 0, problem: Mapping[str, object] | None = None) -> None:
        """``status`` is that of HTTP, 0 where none came; ``problem`` what was told of it (RFC 9457)."""
        super().__init__(message)
        self.status = status
        self.problem = problem or {}


class MissingExtra(UpheldError, ImportError):
    """An optional dependency is absent."""

    def __init__(self, extra: str, *, needed_for: str) -> None:
        """``extra`` is the name in ``pip install 'upheld[extra]'``."""
        super().__init__(f"{needed_for} needs an optional part: pip install 'upheld[{extra}]'")
        self.extra = extra
