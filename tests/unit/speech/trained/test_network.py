"""The trained network on the weights of this release; skips where its extra is not installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from upheld.errors import MalformedInput, MissingExtra
from upheld.speech.trained.judge import Question
from upheld.speech.trained.local import Trained, local_network
from upheld.speech.trained.moves import ACTS, OPERATIONS, TurnInTalk
from upheld.speech.trained.weights import CARD, FOLDER, NETWORK, trained_weights

TICKETS = (
    "The ticket to Porto costs 30 euros.",
    "The train to Porto leaves from platform 3.",
    "The hotel has a garden.",
)


@pytest.fixture(scope="module")
def network() -> Trained:
    """Give the network, or skip."""
    try:
        return local_network()
    except MissingExtra:
        pytest.skip("the extra local is not installed")


def asked(claim: str, nearness: tuple[float, ...] = (0.8, 0.4, 0.1), reply: str = "") -> Question:
    """Give a question about the tickets."""
    return Question(claim=claim, propositions=TICKETS, nearness=nearness, reply=reply)


def test_a_sentence_links_to_itself_and_to_nothing_else(network: Trained) -> None:
    """The least that a judge must do; how well it does the rest is on its card."""
    (judgement,) = network.judge([asked("The train to Porto leaves from platform 3.", (0.4, 1.0, 0.1))])
    links = [said.link for said in judgement.relations]
    assert links[1] > 0.5 > max(links[0], links[2])


def test_a_paraphrase_links_to_what_it_says_more_than_to_the_rest(network: Trained) -> None:
    """Ranking is what it is for; the bars are the rule's."""
    (judgement,) = network.judge([asked("One pays thirty euros to get to Porto.")])
    links = [said.link for said in judgement.relations]
    assert links[0] > max(links[1:])


def test_every_number_is_a_share_and_distributions_sum_to_one(network: Trained) -> None:
    """What a rule is fitted on must be what it says it is."""
    (judgement,) = network.judge([asked("Perhaps the hotel has no garden?")])
    assert len(judgement.relations) == len(TICKETS)
    shares = [share for said in judgement.relations for share in (said.link, said.denies, said.contradicts)]
    assert all(0 <= share <= 1 for share in (*shares, judgement.new))
    assert sum(judgement.stances) == pytest.approx(1)
    assert sum(judgement.modalities) == pytest.approx(1)
    (moves,) = network.moves(TurnInTalk(speaker="Ann", clauses=("Why does it fail?",)))
    assert all(0 <= share <= 1 for share in moves.operations)
    assert moves.acts == ()


def test_a_question_is_the_same_whatever_is_asked_with_it(network: Trained) -> None:
    """A verdict must not depend on what else was asked; eight bits that were scaled by a batch would."""
    long = asked("The ticket is 30 euros. " * 3, reply="The ticket is 30 euros. " * 12)
    short = asked("The ticket is 30 euros.")
    assert network.judge([long, short, asked("A garden.")])[1] == network.judge([short])[0]


def test_nothing_asked_is_nothing_answered(network: Trained) -> None:
    """An empty batch runs nothing."""
    assert network.judge([]) == ()
    assert network.moves(TurnInTalk(speaker="Ann", clauses=())) == ()


def test_a_plain_question_is_told_from_a_plain_report(network: Trained) -> None:
    """The surest of the eight moves."""
    tells, asks = network.moves(
        TurnInTalk(speaker="Ann", clauses=("The pump failed at noon.", "Do we know who restarted it?"))
    )
    assert OPERATIONS[asks.operations.index(max(asks.operations))] == "question"
    assert OPERATIONS[tells.operations.index(max(tells.operations))] == "observe"


def test_what_a_clause_drops_is_what_it_names(network: Trained) -> None:
    """A move on a proposition is told with the proposition, or it could not be put on record."""
    table = ("guess of Bo: The pump failed because of the heat.", "guess of Cy: Someone switched the pump off.")
    (moves,) = network.moves(
        TurnInTalk(
            speaker="Bo",
            clauses=("OK, so it was not the heat, I drop that.",),
            earlier=("Log: pump room 18 degrees at noon",),
            propositions=table,
            nearness=((0.6, 0.3),),
        )
    )
    drops = [acts[ACTS.index("revise")] for acts in moves.acts]
    assert drops[0] > drops[1]


def test_propositions_that_no_longer_fit_are_judged_to_have_no_part(network: Trained) -> None:
    """Over limits nothing is linked, and nothing breaks."""
    many = tuple("The ticket to Porto costs thirty euros in the second class, one way. " * 3 for _ in range(40))
    (judgement,) = network.judge([Question(claim="A claim.", propositions=many, nearness=(0.5,) * 40)])
    assert len(judgement.relations) == 40
    assert judgement.relations[-1].link == 0.0


def test_weights_that_are_not_those_of_the_card_are_refused(network: Trained, tmp_path: Path) -> None:
    """Supply chain: a file that was changed cannot change a verdict unseen."""
    for name in (NETWORK, CARD):
        shutil.copy(FOLDER / name, tmp_path / name)
    with (tmp_path / NETWORK).open("ab") as file:
        file.write(b"\0")
    with pytest.raises(MalformedInput, match="not the weights that the card tells of"):
        trained_weights(tmp_path)
    card = json.loads((FOLDER / CARD).read_text(encoding="utf-8"))
    shutil.copy(FOLDER / NETWORK, tmp_path / NETWORK)
    (tmp_path / CARD).write_text(json.dumps({**card, "words": {**card["words"], "sha256": "0" * 64}}), encoding="utf-8")
    with pytest.raises(MalformedInput, match="other word vectors"):
        trained_weights(tmp_path)
    (tmp_path / CARD).unlink()
    with pytest.raises(MalformedInput, match="no card"):
        trained_weights(tmp_path)


def test_the_card_tells_what_it_was_made_from_and_what_it_reaches() -> None:
    """A model card: data, figures, limits."""
    card = json.loads((FOLDER / CARD).read_text(encoding="utf-8"))
    assert {"name", "sha256", "words", "learned_from", "figures", "rule", "limits"} <= set(card)
    assert all(part["replies"] > 0 for part in card["rule"]["left_out"].values())


def test_nothing_heavy_is_loaded_until_somebody_asks() -> None:
    """``import upheld`` stays quick, and so does everything that does not judge."""
    loaded = "import sys, upheld.conversation.checking.networks as n; print({'numpy', 'onnxruntime'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
