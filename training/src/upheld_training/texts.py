"""The training text, read: whole judgements, pairs, turns. Its form is told in ``training/README.md``."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from upheld.speech.trained.judge import MODALITIES, STANCES
from upheld.speech.trained.moves import OPERATIONS, TurnInTalk

HELD_OUT = 10
"""One group in so many is held out, by the digest of its name: a list of propositions, a claim, or a conversation."""

UNKNOWN = -1
"""A target that a row does not tell."""

NONE, LINK, DENIES, CONTRADICTS = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
"""Targets of the three relations of a claim to a proposition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim beside propositions. ``targets`` has three numbers a proposition, ``about`` stance, modality, new."""

    group: str
    claim: str
    reply: str
    propositions: tuple[str, ...]
    targets: tuple[tuple[int, int, int], ...]
    about: tuple[int, int, int]
    is_pair: bool = False

    @property
    def needed(self) -> tuple[int, ...]:
        """Places of the propositions that the claim is about; they are never left out."""
        return tuple(place for place, target in enumerate(self.targets) if target != NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A turn in its talk; what each clause does (one number an operation), and what it does to each proposition."""

    group: str
    talk: TurnInTalk
    operations: tuple[tuple[int, ...], ...]
    acts: tuple[tuple[tuple[int, ...], ...], ...]


def is_held_out(group: str) -> bool:
    """Tell whether a group is for measuring and never for learning."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % HELD_OUT == 0


def judgements(paths: Iterable[Path]) -> Iterator[Judged]:
    """Give the claims of whole judgements, one each."""
    for path in paths:
        for row in rows(path):
            propositions: Mapping[str, str] = {each["id"]: each["text"] for each in row["propositions"]}
            group = list_of(path, row)
            claims = row["claims"]
            for claim in claims:
                targets = _targets(claim)
                yield Judged(
                    group=group,
                    claim=claim["span"],
                    reply=row["candidate"] if len(claims) > 1 else "",
                    propositions=tuple(propositions.values()),
                    targets=tuple(targets.get(id, NONE) for id in propositions),
                    about=(
                        [stance.value for stance in STANCES].index(claim["stance"]),
                        [modality.value for modality in MODALITIES].index(claim["modality"]),
                        int(not claim["links"]),
                    ),
                )


def list_of(path: Path, row: Mapping[str, Any]) -> str:
    """Give the name of the list that a whole judgement is about; its rows are learned from, or not, together."""
    return f"{path.stem}/{row['id'].rsplit('-', 1)[0]}"


def _targets(claim: Mapping[str, Any]) -> dict[str, tuple[int, int, int]]:
    linked = DENIES if claim["stance"] == "denies" else LINK
    targets = {id.removeprefix("~"): linked for id in claim["links"]}
    for id in claim["contradicts"]:
        targets.setdefault(id.removeprefix("~"), CONTRADICTS)
    return targets


def pairs(paths: Iterable[Path]) -> Iterator[Judged]:
    """Give pairs as judgements over the claims of the same domain; the first proposition is the one that is told of.

    What asserts a claim and says more is neither linked nor not: that target is not told.
    """
    told = [(path.stem, row) for path in paths for row in rows(path)]
    claims: dict[tuple[str, str], dict[str, None]] = {}
    for stem, row in told:
        claims.setdefault((stem, row["domain"]), {})[row["claim"]] = None
    modalities = [modality.value for modality in MODALITIES]
    for stem, row in told:
        commits = row["relation"] in ("asserts", "presupposes")
        link = 1 if row["supported"] else UNKNOWN if commits else 0
        others = [claim for claim in claims[stem, row["domain"]] if claim != row["claim"]]
        stance = 3 if row["modality"] == "report" else 1 if row["relation"] == "presupposes" else UNKNOWN
        yield Judged(
            group=f"{stem}/{row['claim']}",
            claim=row["candidate"],
            reply="",
            propositions=(row["claim"], *others),
            targets=((link, 0, int(row["relation"] == "contradicts")), *(NONE,) * len(others)),
            about=(stance, modalities.index(row["modality"]) if row["modality"] in modalities else UNKNOWN, UNKNOWN),
            is_pair=True,
        )


LEADS = ("", "", "", "So, ", "As said, ", "Yes, ", "Right: ", "Remember that ", "Also, ", "Well, ", "OK, ")
"""What people put before words that they say again; mostly nothing."""

AGAIN = 4
"""Propositions of each list that are said again in a pass."""


def said_again(judged: Sequence[Judged], chance: random.Random) -> Iterator[Judged]:
    """Give propositions said again in their own words, which link to themselves.

    The text was written so that common words do not tell the label; without these, a network learns to distrust them,
    and finds that a sentence does not say itself.
    """
    by_group = {each.group: each for each in judged}
    for each in by_group.values():
        places = (
            [0] if each.is_pair else chance.sample(range(len(each.propositions)), min(AGAIN, len(each.propositions)))
        )
        for place in places:
            targets = tuple(LINK if other == place else NONE for other in range(len(each.propositions)))
            claim = _led(each.propositions[place], chance)
            yield replace(each, claim=claim, reply="", targets=targets, about=(0, 0, 0))


def _led(text: str, chance: random.Random) -> str:
    lead, words = chance.choice(LEADS), text.rstrip(".")
    if lead and words.split()[0] in _LOWERED:
        words = words[0].lower() + words[1:]
    return lead + words + chance.choice(("", "."))


_LOWERED = frozenset(["The", "A", "An", "It", "They", "Nobody", "All", "No", "There", "This", "That"])
"""First words that are no names."""


def joined(judged: Judged, chance: random.Random) -> Judged:
    """Give a claim beside the same propositions, one of which says another one as well, before or behind.

    What a tool or a document says is longer than what a person says, and a claim rests on a part of it.
    """
    needed = (0,) if judged.is_pair else judged.needed
    free = [place for place in range(len(judged.propositions)) if place not in needed]
    if not free or len(judged.propositions) == 1:
        return judged
    other = chance.choice(free)
    places = [place for place in range(len(judged.propositions)) if place != other]
    longer = chance.choice(needed or places)
    both = [judged.propositions[longer], judged.propositions[other]]
    chance.shuffle(both)
    texts = {**dict(enumerate(judged.propositions)), longer: " ".join(both)}
    return replace(
        judged,
        propositions=tuple(texts[place] for place in places),
        targets=tuple(judged.targets[place] for place in places),
    )


UNTOLD_BESIDE = frozenset({"support", "undermine", "revise"})
"""Where a clause has one label, these stand for a report too or do not: it is not told."""


def utterances(paths: Iterable[Path]) -> Iterator[Utterance]:
    """Give the labelled turns of files that do not tell what is on the table."""
    for path in paths:
        for row in rows(path):
            labels: dict[str, set[str]] = {}
            for clause in row["clauses"]:
                labels.setdefault(clause["text"], set()).add(clause["op"])
            yield Utterance(
                group=f"{path.stem}/{row['domain']}",
                talk=TurnInTalk(
                    speaker=row["speaker"],
                    clauses=tuple(labels),
                    earlier=tuple(f"{turn['speaker']}: {turn['text']}" for turn in row["context"]),
                ),
                operations=tuple(_operations(found) for found in labels.values()),
                acts=((),) * len(labels),
            )


def _operations(found: set[str]) -> tuple[int, ...]:
    is_untold = bool(found & UNTOLD_BESIDE) and "observe" not in found
    return tuple(UNKNOWN if name == "observe" and is_untold else int(name in found) for name in OPERATIONS)


def rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Give the objects of a file, one a line."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
