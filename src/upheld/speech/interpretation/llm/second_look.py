"""Which live claims a turn may have given up without the first reading saying so, and the question about them.

Source: the paper's section 4.2 (robustness) and section 6: it is not lost edges but a lost *abandonment* that costs
accuracy, and an extraction aimed at it is left for later there. A cheap test on words and on the first reading picks
the claims in doubt; only then is a language model asked, about these alone. Its answer can only add.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from upheld.errors import UnusableReply
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Revise, Undermine
from upheld.logic.language.propositions import CONSIDERED, Kind
from upheld.logic.language.standing import GIVEN_UP
from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.corrections import MISTAKEN, MOVED
from upheld.speech.interpretation.llm.naming import Naming, introduced_by, lines_on_the_wire, local_names
from upheld.speech.interpretation.llm.reading import field_of, unknown_id
from upheld.speech.interpretation.llm.situation import claim_line, nearest, newest_known
from upheld.speech.interpretation.llm.wire import FIELDS, closed, list_of
from upheld.speech.interpretation.prompts.loading import asked, joined, prompt_named
from upheld.speech.interpretation.prompts.quoting import block, quoted_turn
from upheld.speech.interpretation.slots import slot_of
from upheld.speech.matching.entities import entities
from upheld.speech.matching.tokens import frame
from upheld.speech.models.request import Request, Shape
from upheld.speech.view import Known, View

SECOND_LOOK = "second_look"
"""Name of the shape of its reply."""

MOST_CLAIMS = 12
"""Claims that are asked about at once."""

_ALIKE = 0.5
"""Share of the words that two claims must have in common for another value in one to be about the same thing."""

GIVING_UP = re.compile(
    r"\b(?:scratch (?:that|it)|take (?:it|that|this) back|(?:was|were|am|are|is|be) (?:wrong|mistaken|incorrect|not "
    r"(?:true|right|it|the (?:cause|reason|problem|case)))|i stand corrected|my (?:mistake|bad|error)|"
    r"rul(?:e|ed|es|ing) (?:\w+ )?out|drop(?:ped|s|ping)?|give (?:\w+ )?up|gave (?:\w+ )?up|given up|"
    r"abandon\w*|withdraw\w*|withdrew|"
    r"retract\w*|forget (?:that|it|about|the|my|what)|never ?mind|no longer|not any ?more|off the table|misread|"
    r"misspoke|miscounted|mixed (?:\w+ ){0,2}up|sorry|then no|contradicts?|not all|don't|"
    r"cancel\w*|called off|scrap\w*|debunk\w*|disprov\w*|out of scope|turns out|"
    r"it(?:'s| is) not|that(?:'s| is) not|can(?:'t|not) be|couldn't have|(?:i'd|i would) say it isn't|the other way "
    r"(?:round|around)|revers\w+|have to correct|correct(?:ing|ion)|not \w+ but|instead|in fact|actually)\b",
    re.IGNORECASE,
)
"""Words of giving up and correcting. They are many on purpose: a hit costs one short question, a miss costs a claim."""


def claims_in_doubt(turn: Turn, view: View, operations: Sequence[Operation]) -> tuple[Known, ...]:
    """Give the live claims that a turn may have given up, where the first reading gives up none; most likely first.

    They are those that the reading undermines, contradicts or supersedes; those with another value for the same thing;
    and, when the words have a cue of giving up or correcting, those that share most with the turn, what its speaker
    said last, the newest guesses and the newest claims. Without a sign there are none, and nothing is asked. Cost: as
    :func:`~.situation.newest_known`.
    """
    if any(isinstance(operation, Revise) for operation in operations):
        return ()
    live = [known for known in newest_known(view)[0] if _is_live(known)]
    found = [*_hit_by(operations, live), *_with_other_values(operations, live)]
    if has_cue(turn.text):
        guesses = [known for known in reversed(live) if known.proposition.kind in CONSIDERED]
        found += nearest(live, turn.text, MOST_CLAIMS // 2)
        found += [known for known in reversed(live) if known.speaker == turn.speaker][:2]
        found += [*guesses[:3], *live[-2:]]
    distinct = {known.proposition.id: known for known in found}
    return tuple(distinct.values())[:MOST_CLAIMS]


def has_cue(text: str) -> bool:
    """Tell whether words of giving up or correcting stand in a text."""
    return any(cue.search(text) is not None for cue in (GIVING_UP, MOVED, MISTAKEN))


def second_look_request(turn: Turn, operations: Sequence[Operation], doubtful: Sequence[Known], view: View) -> Request:
    """Give the request that asks which of the claims in doubt were given up."""
    names = local_names(operations, view)
    instructions = joined(prompt_named("second_look"), prompt_named("quotation"))
    fields = FIELDS["revise"]
    item = {
        "why": {"type": "string"},
        "claim": {"type": "string", "enum": [known.proposition.id for known in doubtful]},
        "replaced_by": fields["replacement"],
        "because": fields["because"],
        "withdrawn": fields["withdrawn"],
    }
    return asked(
        instructions,
        Shape(name=SECOND_LOOK, schema=closed({"given_up": list_of(closed(item))})),
        block("live-claims", map(claim_line, doubtful)),
        block("turn-to-read", [quoted_turn(turn)]),
        block("first-reading", lines_on_the_wire(operations, names)),
        limit=2_048,
    )


def read_second_look(
    content: object, operations: Sequence[Operation], doubtful: Sequence[Known], view: View
) -> tuple[Operation, ...]:
    """Add to a reading what a second look found: a revision each, and what the new value supersedes.

    Raises:
        UnusableReply: a claim that was not asked about, or an id that nobody introduced.
    """
    items = field_of(content, "given_up")
    if not isinstance(items, list):
        raise UnusableReply("given_up: a list was asked for")
    given = {name: PropositionId(id) for id, name in local_names(operations, view).items()}
    naming = Naming(view=view, given=given)
    asked_about = {known.proposition.id for known in doubtful}
    revised: dict[PropositionId, Revise] = {}
    for place, item in enumerate(cast("list[object]", items)):
        revision = _revision(item, naming, asked_about, f"given_up[{place}]")
        revised.setdefault(revision.target, revision)
    return _with_revisions(operations, tuple(revised.values()))


def _is_live(known: Known) -> bool:
    return known.lifecycle not in GIVEN_UP and known.proposition.kind is not Kind.ISSUE


def _hit_by(operations: Sequence[Operation], live: Sequence[Known]) -> Iterator[Known]:
    hit: set[PropositionId] = set()
    for operation in operations:
        if isinstance(operation, Undermine):
            hit.add(operation.target)
        elif isinstance(operation, Observe):
            hit.update((*operation.contradicts, *operation.supersedes))
    return (known for known in live if known.proposition.id in hit)


def _with_other_values(operations: Sequence[Operation], live: Sequence[Known]) -> Iterator[Known]:
    """Give the claims whose slot, or whose value in nearly the same words, a new proposition fills differently."""
    texts = [operation.text for operation in operations if isinstance(operation, Observe | Hypothesize)]
    return (known for known in live if any(_differs(known.proposition.text, text) for text in texts))


def _differs(older: str, newer: str) -> bool:
    slots = slot_of(older), slot_of(newer)
    if slots[0] is not None and slots[1] is not None and slots[0].key == slots[1].key:
        return slots[0].holder == slots[1].holder and slots[0].value != slots[1].value
    values = [{entity.place: entity.value for entity in entities(text)} for text in (older, newer)]
    if all(values[0][place] == values[1][place] for place in values[0].keys() & values[1].keys()):
        return False
    before, after = frame(older).words, frame(newer).words
    fewest = min(len(before), len(after))
    return fewest > 0 and len(before & after) / fewest >= _ALIKE


def _revision(item: object, naming: Naming, asked_about: set[PropositionId], key: str) -> Revise:
    claim = field_of(item, "claim")
    if claim not in asked_about:
        raise UnusableReply(f"{key}.claim: {claim!r} was not asked about; one of {', '.join(sorted(asked_about))}")
    fields = cast("dict[str, object]", item)
    replacement = _named(fields.get("replaced_by"), naming, f"{key}.replaced_by")
    because = fields.get("because")
    if because is not None and not isinstance(because, list):
        raise UnusableReply(f"{key}.because: a list was asked for")
    names = cast("list[object]", because or [])
    reasons = [_named(name, naming, f"{key}.because") for name in names]
    return Revise(
        target=PropositionId(str(claim)),
        replacement=replacement if replacement != claim else None,
        because=tuple(Literal(id) for id in dict.fromkeys(reasons) if id is not None and id != claim),
        withdrawn=fields.get("withdrawn") is True,
    )


def _named(name: object, naming: Naming, key: str) -> PropositionId | None:
    if name is None or name == "":
        return None
    id = naming.meant(name) if isinstance(name, str) else None
    if id is None:
        raise unknown_id(str(name), naming, key)
    return id


def _with_revisions(operations: Sequence[Operation], revisions: Sequence[Revise]) -> tuple[Operation, ...]:
    """A correction is two operations: the new value names what it supersedes, and the old one is revised."""
    replaced: dict[PropositionId, list[PropositionId]] = {}
    for revision in revisions:
        if revision.replacement is not None:
            replaced.setdefault(revision.replacement, []).append(revision.target)
    return (*(_superseding(operation, replaced) for operation in operations), *revisions)


def _superseding(operation: Operation, replaced: dict[PropositionId, list[PropositionId]]) -> Operation:
    older: Iterable[PropositionId] = replaced.get(introduced_by(operation) or PropositionId(""), ())
    if not isinstance(operation, Observe) or not older:
        return operation
    return replace(operation, supersedes=tuple(dict.fromkeys((*operation.supersedes, *older))))
