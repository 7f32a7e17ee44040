"""Replies with known verdicts, as the product meets them: claims by clause, the nearest propositions, what stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import Alignment, aligned
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.matching.trained.features import features
from upheld.speech.matching.trained.matcher import claim_spans, weighed
from upheld_training.calibrating import Reply
from upheld_training.serving import Serving


def replies_of(transcripts: Iterable[Transcript], serving: Serving, *, read_by: str = "annotated") -> Iterator[Reply]:
    """Give the labelled candidates of annotated conversations; one whose claims cannot be judged is left out.

    The turns are told by their labels, or by what is read in them (``read_by``): what stands is then less sure.
    """
    for transcript in transcripts:
        interpreter = serving.interpreter(transcript.agents) if read_by == "local" else read_by
        talk, nearest = loaded(transcript, interpreter=interpreter), serving.nearest()
        ids = aligned(transcript, talk, is_same=read_by == "annotated")
        for item in transcript.gold.verify if transcript.gold is not None else ():
            view = StateView(_state(talk, item, ids))
            claims = weighed(item.text, claim_spans(item.text), view, serving.network, nearest)
            rows = [
                features(item.text[slice(*each.span)], each.judgement, each.near)
                for each in claims
                if each.judgement is not None
            ]
            if rows:
                is_grounded = item.label is Outcome.GROUNDED
                yield Reply(group=transcript.id, claims=np.array(rows), is_grounded=is_grounded)


def _state(talk: Conversation, item: VerifyItem, ids: Alignment) -> State:
    state = talk.at(item.at).state if item.at is not None else talk.state
    for change in item.after:
        own = ids.change(change)
        state = state if own is None else taken_back(state, own)
    return state
