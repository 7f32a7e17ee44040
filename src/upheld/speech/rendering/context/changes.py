"""What became of a claim, in a sentence (the paper's section 3: the renderer tells what changed)."""

from __future__ import annotations

from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.speech.rendering.context.items import Item
from upheld.speech.rendering.context.notation import line_of
from upheld.speech.rendering.context.quoting import name


def change_line(before: Item | None, after: Item, *, cause: str = "") -> str:
    """Say what became of an item; empty when nothing that matters did.

    ``cause`` says what it lost its ground to. ``decision d1 no longer grounded; affected by retraction of a3; depends
    on a1, a2``.
    """
    if before is None:
        return f"new: {line_of(after).rstrip()}"
    if before == after:
        return ""
    said = _ended(before, after) or _lost(before, after, cause) or _gained(before, after)
    return f"{after.kind} {name(after.id)} {said}" if said else ""


def _ended(before: Item, after: Item) -> str:
    if before.lifecycle is after.lifecycle or after.lifecycle not in GIVEN_UP:
        return ""
    at = f" at {name(after.ended)}" if after.ended else ""
    reasons = f"; because of {_listed(after.because)}" if after.because else ""
    now = f"; now {name(after.current)}" if after.current is not None else ""
    return f"{after.lifecycle}{at}{reasons}{now}"


def _lost(before: Item, after: Item, cause: str) -> str:
    is_fall = before.label is Label.IN and after.label is not Label.IN and after.lifecycle not in GIVEN_UP
    is_thinned = after.label is Label.IN and bool(set(after.fallen) - set(before.fallen))
    if not is_fall and not is_thinned:
        return ""
    left = [each for each in after.grounds if each not in after.fallen]
    countered = f"; countered by {_listed(after.because)}" if after.because else ""
    affected = f"; affected by {name(cause)}" if cause else countered
    rests = f"; depends on {_literals(left)}" if left else ""
    return f"{'no longer grounded' if is_fall else 'has one ground less'}{affected}{rests}"


def _gained(before: Item, after: Item) -> str:
    if before.lifecycle in GIVEN_UP and after.lifecycle not in GIVEN_UP:
        return f"taken up again ({after.lifecycle})"
    if before.label is not Label.IN and after.label is Label.IN:
        return f"grounded again; depends on {_literals(after.grounds)}" if after.grounds else "stands again"
    if before.lifecycle is not after.lifecycle:
        is_answer = after.kind is Kind.ISSUE and after.lifecycle is Lifecycle.RESOLVED
        return "answered" if is_answer else str(after.lifecycle)
    added = [each for each in after.grounds if each not in before.grounds]
    return f"now also depends on {_literals(added)}" if added else ""


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(map(name, ids))


def _literals(items: list[Literal] | tuple[Literal, ...]) -> str:
    return ", ".join(name(str(each)) for each in items)
