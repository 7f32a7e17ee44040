"""Why an argument of a bare framework is accepted or not, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upheld.logic.argumentation.framework import Framework, indexed, places_of
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.semantics.explaining import Cause, Step, WhyOut
from upheld.logic.language.standing import Label


def why_in(framework: Framework[str], argument: str) -> tuple[Step[str], ...]:
    """Give a step for an argument that is in by the grounded labelling, and for what it turns on; the nearest first.

    Of what is out the step names the first attacker that is in. Each argument has one step. Linear. There is none when
    the argument is not in. Supports are not told: the formats that are read here have none.
    """
    names, index = framework.arguments, indexed(framework)
    labels = grounded_labels(index)
    first = places_of(framework)[argument]
    found: dict[int, list[int]] = {}
    pending = [first] if labels[first] is Label.IN else []
    for name in pending:
        if name not in found:
            attackers = index.attackers[name]
            standing = [other for other in attackers if labels[other] is Label.IN][:1]
            found[name] = list(attackers) if labels[name] is Label.IN else standing
            pending.extend(found[name])
    return tuple(
        Step(argument=names[name], label=labels[name], attackers=tuple(names[other] for other in telling))
        for name, telling in found.items()
    )


def step_lines(steps: Iterable[Step[str]]) -> Iterator[str]:
    """Tell steps, a line each."""
    for step in steps:
        listed = ", ".join(step.attackers)
        match step.label, step.attackers:
            case Label.IN, ():
                reason = "nothing attacks it"
            case Label.IN, _:
                reason = f"what attacks it is out: {listed}"
            case Label.OUT, _:
                reason = f"{listed} attacks it and is in"
            case Label.UNDECIDED, _:
                reason = f"{listed} attacks it and is undecided"
        yield f"{step.argument} is {step.label}: {reason}"


def why_out_lines(found: WhyOut[str]) -> Iterator[str]:
    """Tell why an argument is not accepted."""
    name = found.argument
    match found.cause:
        case Cause.REJECTED:
            yield from step_lines(found.steps)
        case Cause.CIRCULAR:
            yield from step_lines(found.steps)
            yield f"nothing outside settles the circle: {', '.join(found.circle)}"
        case Cause.INDEFENSIBLE:
            yield f"no admissible set has {name}: none can answer {', '.join(found.unanswered)}"
        case Cause.OMITTED:
            extension = ", ".join(sorted(found.extension or ())) or "the empty set"
            yield f"a {found.semantics} extension without {name}, which is {found.label} by it: {extension}"
        case Cause.NO_EXTENSION:
            yield f"there is no {found.semantics} extension at all"
        case Cause.UNSETTLED:
            return
