"""The network that is trained: its start, its learning, and the file that is shipped. ``make test-models`` runs it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from upheld.speech.embedding.local import local_embedder
from upheld.speech.embedding.weights import NETWORK as EMBEDDER
from upheld.speech.embedding.weights import TOKENIZER, pinned_folder
from upheld.speech.trained.moves import ACTS, OPERATIONS, TurnInTalk
from upheld_training.examples import Maker, batches, tensors
from upheld_training.exporting import MOST_CHANGED, changed, export
from upheld_training.learning import Course, learn, loss_of
from upheld_training.network import Network, load_encoder
from upheld_training.texts import CONTRADICTS, LINK, NONE, Judged, Utterance

JUDGED = tuple(
    Judged(
        group=f"list/{number}",
        claim=claim,
        reply="",
        propositions=("The pump failed at noon.", "The valve was replaced on Monday.", "Ann ordered two filters."),
        targets=targets,
        about=(0, 0, int(targets == (NONE, NONE, NONE))),
    )
    for number, (claim, targets) in enumerate(
        (
            ("It was midday when the pump gave up", (LINK, NONE, NONE)),
            ("The pump was still running at one", (CONTRADICTS, NONE, NONE)),
            ("There is a new valve", (NONE, LINK, NONE)),
            ("Nobody has touched the valve", (NONE, CONTRADICTS, NONE)),
            ("Filters are on their way", (NONE, NONE, LINK)),
            ("The roof leaks", (NONE, NONE, NONE)),
        )
    )
)
TURN = Utterance(
    group="talk/1",
    talk=TurnInTalk(
        speaker="Ann",
        clauses=("Make it three filters.", "And who broke the pump?"),
        earlier=("Ben: Two filters, right?",),
        propositions=("fact of Ann: Ann ordered two filters.",),
        nearness=((0.8,), (0.1,)),
    ),
    operations=(
        tuple(int(name in ("observe", "revise")) for name in OPERATIONS),
        tuple(int(name == "question") for name in OPERATIONS),
    ),
    acts=((tuple(int(name == "revise") for name in ACTS),), ((0,) * len(ACTS),)),
)


@pytest.fixture(scope="module")
def begun() -> tuple[Network, torch.Tensor, Maker]:
    """Give a network at its start, the table of word vectors, and what lays out its inputs."""
    torch.manual_seed(0)
    package, network = pinned_folder(), Network()
    words = load_encoder(network, package / EMBEDDER)
    tokenizer = Tokenizer.from_file(str(package / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    network.eval()
    maker = Maker(lambda text: tokenizer.encode(text, add_special_tokens=False).ids, local_embedder(package))
    return network, words, maker


def test_the_encoder_starts_as_the_published_one(begun: tuple[Network, torch.Tensor, Maker]) -> None:
    """Wang et al. 2020: the mean of its last layer is the sentence vector that the embedder gives for the same text."""
    network, words, _ = begun
    tokenizer = Tokenizer.from_file(str(pinned_folder() / TOKENIZER))
    tokenizer.no_padding()
    text = "The valve was replaced on Monday."
    ids = torch.tensor([tokenizer.encode(text).ids])
    with torch.no_grad():
        x = network.norm(words[ids] + network.places(torch.arange(ids.shape[1]))[None] + network.segments.weight[0])
        for layer in network.layers:
            x = layer(x, torch.ones((1, 1, 1, ids.shape[1]), dtype=torch.bool))
        own = torch.nn.functional.normalize(x.mean(1), dim=-1)[0].numpy()
    published = np.asarray(local_embedder(pinned_folder()).embed([text]))[0]
    assert float(own @ published) > 0.999


def test_a_row_is_read_alike_alone_and_beside_longer_ones(begun: tuple[Network, torch.Tensor, Maker]) -> None:
    """Padding is not read: else what is learned in batches would not hold where one row is asked about."""
    network, words, maker = begun
    examples = [maker.utterance(TURN), *(maker.judged(each) for each in JUDGED)]
    with torch.no_grad():
        together = network(*tensors(examples).inputs(words))
        for place, example in enumerate(examples):
            alone = network(*tensors([example]).inputs(words))
            count, clauses = len(example.row.marks), len(example.row.clauses)
            assert torch.allclose(together[0][place, :count], alone[0][0, :count], atol=1e-4)
            assert torch.allclose(together[2][place, :clauses], alone[2][0, :clauses], atol=1e-4)
            assert torch.allclose(together[3][place, :clauses, :count], alone[3][0, :clauses, :count], atol=1e-4)


def _learned(maker: Maker, seed: int) -> tuple[Network, torch.Tensor, list[float], list[int]]:
    torch.manual_seed(seed)
    network = Network()
    words = load_encoder(network, pinned_folder() / EMBEDDER)
    losses: list[float] = []
    passes: list[int] = []

    def made(chance: random.Random) -> list[Any]:
        return [*(maker.judged(each, chance=chance) for each in JUDGED), maker.utterance(TURN, chance)]

    course = Course(passes=8, rate=3e-4, seed=seed, last=0.1, warm=0.1)
    learn(network, words, made, course, told=lambda _, __, loss: losses.append(loss), after=passes.append)
    return network, words, losses, passes


def test_it_learns_what_it_is_shown_and_the_same_with_the_same_seed(
    begun: tuple[Network, torch.Tensor, Maker],
) -> None:
    """Our promise: seeded. All four kinds of output are learned at once (Caruana 1997)."""
    maker = begun[2]
    network, words, losses, passes = _learned(maker, 7)
    assert passes == list(range(1, 9))
    assert losses[-1] < losses[0] / 2
    with torch.no_grad():
        moves = network(*tensors([maker.utterance(TURN)]).inputs(words))[2][0].sigmoid()
    revise, question = OPERATIONS.index("revise"), OPERATIONS.index("question")
    assert moves[0, revise] > moves[1, revise]
    assert moves[1, question] > moves[0, question]
    assert _learned(maker, 7)[2] == losses


def test_what_a_row_does_not_tell_is_not_learned_from(begun: tuple[Network, torch.Tensor, Maker]) -> None:
    """A target that is not told must not count as "no": a turn says nothing of relations, a claim nothing of moves."""
    network, words, maker = begun
    batch = tensors([maker.utterance(TURN)])
    network.zero_grad()
    loss_of(network, words, batch).backward()
    heads = {name: each.grad for name, each in network.named_parameters() if name.startswith(("relations.", "claim."))}
    assert all(grad is None or not grad.abs().sum() for grad in heads.values())


@pytest.mark.filterwarnings("ignore:You are using the legacy TorchScript:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
@pytest.mark.filterwarnings("ignore:The feature will be removed:DeprecationWarning")
def test_the_file_that_is_shipped_says_nearly_what_the_network_says(
    begun: tuple[Network, torch.Tensor, Maker], tmp_path: Path
) -> None:
    """Eight bits may change a probability by so much on average, and no more."""
    network, words, maker = begun
    path = tmp_path / "judge.onnx"
    export(network, path)
    assert path.stat().st_size < 13e6
    assert 0 < changed(network, words, path, [maker.judged(each) for each in JUDGED]) < MOST_CHANGED


def test_every_example_is_in_one_batch(begun: tuple[Network, torch.Tensor, Maker]) -> None:
    """None is learned from twice in a pass, and none is forgotten."""
    maker = begun[2]
    examples = [maker.judged(each) for each in JUDGED for _ in range(9)]
    found = batches(examples, random.Random(1))
    assert sorted(id(each) for batch in found for each in batch) == sorted(map(id, examples))
