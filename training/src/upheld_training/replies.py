"""Replies with known verdicts, as the product meets them: claims by clause, the nearest propositions, what stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.nearest import NearestFinder
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import Alignment, aligned
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.matching.trained.features import features, is_beside_guess
from upheld.speech.matching.trained.matcher import claim_spans, weighed
from upheld.speech.view import Known, View
from upheld_training.calibrating import Reply
from upheld_training.reading import group_of
from upheld_training.serving import Serving
from upheld_training.texts import is_held_out, list_of, rows


def replies_of(transcripts: Iterable[Transcript], serving: Serving, *, read_by: str = "annotated") -> Iterator[Reply]:
    """Give the labelled candidates of annotated conversations; one whose claims cannot be judged is left out.

    The turns are told by their labels, or by what is read in them (``read_by``): what stands is then less sure.
    """
    for transcript in transcripts:
        interpreter = serving.interpreter(transcript.agents) if read_by == "local" else read_by
        talk, nearest = loaded(transcript, interpreter=interpreter), serving.nearest()
        spares = read_by != "annotated"
        ids = aligned(transcript, talk, is_same=not spares)
        for item in transcript.gold.verify if transcript.gold is not None else ():
            view = StateView(_state(talk, item, ids))
            is_grounded = item.label is Outcome.GROUNDED
            yield from _reply(
                group_of(transcript), item.text, view, serving, nearest, is_grounded=is_grounded, spares=spares
            )


def replies_to_lists(paths: Iterable[Path], serving: Serving) -> Iterator[Reply]:
    """Give the candidates of those lists that the network never learned from, beside what stands in each list."""
    for path in paths:
        for row in rows(path):
            group = list_of(path, row)
            if is_held_out(group):
                is_grounded = row["label"] == Outcome.GROUNDED
                view = _Listed(row["propositions"])
                yield from _reply(group, row["candidate"], view, serving, serving.nearest(), is_grounded=is_grounded)


def _reply(
    group: str,
    text: str,
    view: View,
    serving: Serving,
    nearest: NearestFinder,
    *,
    is_grounded: bool,
    spares: bool = False,
) -> Iterator[Reply]:
    """Give a candidate by its numbers; none where none of its claims can be judged."""
    claims = weighed(text, claim_spans(text), view, serving.network, nearest)
    found = [
        features(text[slice(*each.span)], each.judgement, each.near) for each in claims if each.judgement is not None
    ]
    if found:
        spared = tuple(not is_beside_guess(each.near) for each in claims if each.judgement is not None)
        yield Reply(group=group, claims=np.array(found), is_grounded=is_grounded, spared=spared if spares else ())


class _Listed:
    """The propositions of a list, each standing as its lifecycle says."""

    def __init__(self, told: Iterable[Mapping[str, str]]) -> None:
        self._known = {PropositionId(each["id"]): _known(each) for each in told}

    def known(self) -> Iterable[Known]:
        return self._known.values()

    def get(self, proposition: PropositionId, /) -> Known | None:
        return self._known.get(proposition)


def _known(told: Mapping[str, str]) -> Known:
    kind = Kind.OBSERVATION if told["kind"] == "fact" else Kind(told["kind"])
    lifecycle = Lifecycle(told["lifecycle"])
    return Known(
        proposition=Proposition(id=PropositionId(told["id"]), text=told["text"], kind=kind),
        label=Label.OUT if lifecycle in GIVEN_UP else Label.IN,
        lifecycle=lifecycle,
        speaker=AgentId(told["by"]),
    )


def _state(talk: Conversation, item: VerifyItem, ids: Alignment) -> State:
    state = talk.at(item.at).state if item.at is not None else talk.state
    for change in item.after:
        own = ids.change(change)
        state = state if own is None else taken_back(state, own)
    return state
