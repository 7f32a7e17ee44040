"""Replies with known verdicts, as the product meets them: claims by clause, the nearest propositions, what stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import Alignment, aligned
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.reading import read_transcript
from upheld.speech.matching.trained.features import features
from upheld.speech.matching.trained.matcher import Nearest, claim_spans, weighed
from upheld.speech.trained.judge import Judge
from upheld_training.calibrating import Reply


def replies_of(
    paths: Sequence[Path], judge: Judge, nearest: Nearest, *, interpreter: str = "annotated"
) -> Iterator[Reply]:
    """Give the labelled candidates of annotated conversations; one whose claims cannot be judged is left out.

    The turns are told by their labels, or by what an ``interpreter`` reads in them: what stands is then less sure.
    """
    for path in paths:
        transcript = read_transcript(path)
        talk = loaded(transcript, interpreter=interpreter)
        ids = aligned(transcript, talk, is_same=interpreter == "annotated")
        for item in transcript.gold.verify if transcript.gold is not None else ():
            view = StateView(_state(talk, item, ids))
            claims = weighed(item.text, claim_spans(item.text), view, judge, nearest)
            rows = [
                features(item.text[slice(*each.span)], each.judgement, each.near)
                for each in claims
                if each.judgement is not None
            ]
            if rows:
                is_grounded = item.label is Outcome.GROUNDED
                yield Reply(group=path.stem, claims=np.array(rows), is_grounded=is_grounded)


def _state(talk: Conversation, item: VerifyItem, ids: Alignment) -> State:
    state = talk.at(item.at).state if item.at is not None else talk.state
    for change in item.after:
        own = ids.change(change)
        state = state if own is None else taken_back(state, own)
    return state
