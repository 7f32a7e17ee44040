"""Whether a network judges pairs at all, and under the right labels: easy ones, before it may say anything.

Nobody measured a network that a user brings. One at chance would link at random; one whose configuration names its
labels in another order would call grounded what contradicts the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from upheld.errors import MalformedInput
from upheld.speech.matching.entailment.judge import Shares
from upheld.speech.matching.entailment.labels import LABELS
from upheld.speech.matching.entailment.pairs import CONTRADICTED, ENTAILED, NEUTRAL, STRANGERS

LABELLED = (*ENTAILED, *NEUTRAL, *CONTRADICTED)
"""Sixty pairs in the order of their labels: twenty entailments, twenty neutral ones, twenty contradictions."""

TESTED = (*LABELLED, *STRANGERS)
"""All pairs: the labelled ones, then twenty of sentences that have nothing to do with each other."""

EACH = len(ENTAILED)

RIGHT, RIGHT_OF_EACH = 45, 12
"""Fewest pairs that must be right of the sixty, and of the twenty of each label.

Whoever guesses among three labels is right with probability 1/3, and reaches 45 of 60 with probability 5e-11 (the
upper tail of the binomial distribution). Whoever mistakes one label for another throughout is right at most 40 times.
The second bar, which guessing reaches once in 77 times a label, refuses one that hardly knows one of the labels.
"""

MOST_STRANGERS = 1
"""Most of the unrelated pairs that may be called entailments: most of what lies near to a claim is about other things.

Whoever guesses calls a third of them so, and stays at or below one of twenty once in 302 times.
"""

Counts = tuple[int, int, int]


def check_meaning(told: Sequence[Shares], source: str) -> None:
    """Refuse a network by its shares for the pairs of ``TESTED``.

    Raises:
        MalformedInput: a share is no number, or too few pairs are right: the message says what was reached, what is
            needed and what to do.
    """
    unnumbered = sum(not each.is_number for each in told)
    if unnumbered:
        raise MalformedInput(
            f"its output is not a number for {unnumbered} of {len(TESTED)} pairs of the self-test, none is allowed; "
            "export the network anew, with weights of 32 bits, or name another one",
            source=source,
        )
    labelled, strangers = told[: len(LABELLED)], told[len(LABELLED) :]
    counts = _right(labelled, (0, 1, 2))
    if not _reaches(counts):
        reached = ", ".join(f"{count} of {EACH} {label}" for count, label in zip(counts, LABELS, strict=True))
        raise MalformedInput(
            f"no network for natural language inference: {sum(counts)} of {len(LABELLED)} easy pairs are right "
            f"({reached}); needed are {RIGHT}, and {RIGHT_OF_EACH} of each label; {_advice(labelled)}",
            source=source,
        )
    mistaken = sum(each.entails >= max(each.neutral, each.contradicts) for each in strangers)
    if mistaken > MOST_STRANGERS:
        raise MalformedInput(
            f"no network for natural language inference: it calls {mistaken} of {len(strangers)} pairs of unrelated "
            f"sentences entailments, at most {MOST_STRANGERS} is allowed; {_ANOTHER}",
            source=source,
        )


def _advice(told: Sequence[Shares]) -> str:
    best = max(permutations((0, 1, 2)), key=lambda order: sum(_right(told, order)))
    counts = _right(told, best)
    if _reaches(counts):
        meant = ", ".join(f"{LABELS[place]} for {LABELS[named]}" for named, place in enumerate(best) if named != place)
        return f"its labels seem to be swapped, with {meant} it reaches {sum(counts)}: mend id2label in config.json"
    return _ANOTHER


_ANOTHER = "name one that was trained on natural language inference in English, with its own tokenizer"


def _reaches(counts: Counts) -> bool:
    return sum(counts) >= RIGHT and min(counts) >= RIGHT_OF_EACH


def _right(told: Sequence[Shares], order: tuple[int, ...]) -> Counts:
    """Count the right pairs of each label, were the labels named in another order: ``order`` says what each is."""
    found = [0, 0, 0]
    for place, each in enumerate(told):
        shares = (each.entails, each.neutral, each.contradicts)
        label = place // EACH
        # Two labels that are equally likely are no answer.
        found[label] += sum(share >= shares[order[label]] for share in shares) == 1
    return (found[0], found[1], found[2])
