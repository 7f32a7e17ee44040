"""A conversation as an annotated transcript, and how one begins that a transcript tells."""

from __future__ import annotations

from dataclasses import replace

from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning, Took
from upheld.conversation.reading.reader import Reader
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript


def transcribed(conversation: Conversation) -> Transcript:
    """Give a conversation as an annotated transcript, every turn with its meaning of now.

    What was taken back outside any turn has no place in that format, and is left out: :func:`untold` counts it.
    Cost: linear.
    """
    state, beginning = conversation.state, conversation.beginning()
    return Transcript(
        id=conversation.id,
        title=beginning.title,
        paradigm=beginning.paradigm,
        agents=tuple(state.agents[id] for id in sorted(state.agents)),
        initial=tuple(
            state.propositions[id] for id in sorted(state.propositions) if not state.node(id).first.origin.turn
        ),
        turns=tuple(event for event in conversation.timeline.events if isinstance(event, Turn)),
        is_annotated=True,
    )


def untold(conversation: Conversation) -> int:
    """Count the retractions by the keeper of the record, which a transcript cannot hold. Cost: linear."""
    return sum(isinstance(event, Took) for event in conversation.timeline.events)


def cleaned(transcript: Transcript, reader: Reader) -> Transcript:
    """Give a transcript without what a reader takes out of words before it keeps them."""
    beginning = reader.clean_beginning(beginning_in(transcript))
    return replace(
        transcript,
        agents=beginning.agents,
        initial=beginning.initial,
        title=beginning.title,
        turns=tuple(map(reader.clean, transcript.turns)),
    )


def beginning_in(transcript: Transcript) -> Beginning:
    """Give how the conversation of a transcript opened."""
    return Beginning(
        agents=transcript.agents,
        initial=transcript.initial,
        title=transcript.title,
        paradigm=transcript.paradigm,
    )
