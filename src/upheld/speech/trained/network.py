"""The network itself: a cross-encoder of six layers in eight-bit weights, and what is read off it.

Loads numpy and the runtime of networks, so it is itself loaded only by :mod:`upheld.speech.trained.local`. The encoder
starts from all-MiniLM-L6-v2 (Wang et al. 2020; Reimers & Gurevych 2019) and was trained on text of this project; its
table of word vectors was left as it was and is read from the package of the embedder, so that it is not shipped twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from upheld.errors import MalformedInput
from upheld.speech.embedding.running import opened_session, opened_tokenizer
from upheld.speech.trained.inputs import Row, fits_claim, fits_turn, fitting, question_row, turn_row
from upheld.speech.trained.judge import Judgement, Question, Relations
from upheld.speech.trained.moves import ClauseMoves, TurnInTalk
from upheld.speech.trained.weights import TrainedWeights

Floats = NDArray[np.float32]

STANCES_END, MODALITIES_END = 4, 7
"""Where the outputs of a claim's stance end, and those of its modality; the next one is ``new``."""


class TrainedNetwork:
    """Judges claims beside propositions, and tells the moves of clauses. The files are read when it is first asked.

    The same question has the same answer, whatever is asked with it. Cost: about 0.1 ms of one core a word piece.
    """

    def __init__(self, weights: TrainedWeights, *, threads: int = 2) -> None:
        """Use these weights, and so many ``threads`` of the processor."""
        self._weights = weights
        self._threads = threads
        self._loading = Lock()
        self._loaded: _Session | None = None

    @property
    def name(self) -> str:
        """Name of the weights, with the first digits of their digest."""
        return self._weights.name

    @property
    def weights(self) -> TrainedWeights:
        """Where it comes from, with its card."""
        return self._weights

    def reads(self, claim: str, /) -> bool:
        """Tell whether a claim is read whole."""
        return fits_claim(claim, self._session().pieces)

    def fitting(self, question: Question, /) -> int:
        """Give how many of its propositions, from the first on, are read whole."""
        return fitting(question, self._session().pieces)

    def judge(self, questions: Sequence[Question], /) -> tuple[Judgement, ...]:
        """Give a judgement a question.

        Raises:
            MalformedInput: the files are no such network.
        """
        session = self._session()
        found: list[Judgement] = []
        for question in questions:
            said = session.run(question_row(question, session.pieces))
            found.append(_judgement(said.relations, said.claim, len(question.propositions)))
        return tuple(found)

    def reads_turn(self, clauses: Sequence[str], /) -> bool:
        """Tell whether the clauses of a turn are read whole."""
        return fits_turn(clauses, self._session().pieces)

    def moves(self, turn: TurnInTalk, /) -> tuple[ClauseMoves, ...]:
        """Give the moves of each clause of a turn; propositions that did not fit have no part in them.

        Raises:
            MalformedInput: the files are no such network.
        """
        if not turn.clauses:
            return ()
        session = self._session()
        row = turn_row(turn, session.pieces)
        said = session.run(row)
        operations, acts = _shares(said.moves), _shares(said.acts)
        missing = ((0.0,) * acts.shape[-1],) * (len(turn.propositions) - len(row.marks))
        return tuple(
            ClauseMoves(
                operations=tuple(map(float, own)),
                acts=(*(tuple(map(float, each)) for each in on[: len(row.marks)]), *missing),
            )
            for own, on in zip(operations, acts, strict=True)
        )

    def _session(self) -> _Session:
        with self._loading:
            if self._loaded is None:
                self._loaded = _Session(self._weights, self._threads)
            return self._loaded


OUTPUTS = ("relations", "claim", "moves", "acts")
"""Names of the network's outputs, in their order."""

_NOWHERE = ((0.0, 0.0, 0.0),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What the network says of one row, as log odds."""

    relations: Floats
    claim: Floats
    moves: Floats
    acts: Floats


class _Session:
    """The files, read."""

    def __init__(self, weights: TrainedWeights, threads: int) -> None:
        self._session = opened_session(weights.network, threads=threads)
        self._tokenizer = opened_tokenizer(weights.tokenizer)
        try:
            self._words: Floats = np.memmap(
                weights.words, dtype=np.float32, mode="r", offset=weights.words_offset, shape=weights.words_shape
            )
        except (OSError, ValueError) as error:
            raise MalformedInput(f"no table of word vectors: {error}", source=str(weights.words)) from error

    def pieces(self, text: str) -> Sequence[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def run(self, row: Row) -> _Said:
        """Give what is said of a row: each goes through by itself.

        In a batch, what the eight bits are scaled by would depend on the other rows, and so would the answer.
        """
        ids = np.array([row.pieces], dtype=np.int64)
        marks = row.marks or (0,)
        given = {
            "words": np.asarray(self._words[ids]),
            "segments": np.array([row.segments], dtype=np.int64),
            "mask": np.ones_like(ids),
            "marks": np.array([marks], dtype=np.int64),
            "nearness": np.array(row.nearness or _NOWHERE, dtype=np.float32).reshape(1, -1, 3),
            "clauses": np.array([row.clauses], dtype=np.int64),
            "between": _between(row, len(marks))[None],
        }
        relations, claim, moves, acts = self._session.run(list(OUTPUTS), given)
        return _Said(relations=relations[0], claim=claim[0], moves=moves[0], acts=acts[0])


def _between(row: Row, count: int) -> Floats:
    found = np.zeros((len(row.clauses), count, 3), dtype=np.float32)
    for place, near in enumerate(row.between):
        if near:
            found[place, : len(near)] = near
    return found


def _shares(odds: Floats) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-odds.astype(np.float64)))


def _judgement(relations: Floats, claim: Floats, count: int) -> Judgement:
    likely = _shares(relations)[:count]
    said = [Relations(link=float(a), denies=float(b), contradicts=float(c)) for a, b, c in likely]
    said += [Relations(link=0.0, denies=0.0, contradicts=0.0)] * (count - len(said))
    return Judgement(
        relations=tuple(said),
        stances=tuple(map(float, _softmax(claim[:STANCES_END]))),
        modalities=tuple(map(float, _softmax(claim[STANCES_END:MODALITIES_END]))),
        new=float(1 / (1 + np.exp(-float(claim[MODALITIES_END])))),
    )


def _softmax(values: Floats) -> NDArray[np.float64]:
    shifted = np.exp(values.astype(np.float64) - float(values.max()))
    return shifted / shifted.sum()
