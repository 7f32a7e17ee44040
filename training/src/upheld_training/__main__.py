"""``python -m upheld_training``: reads the text, trains, exports, calibrates, writes the card.

``--calibrate`` leaves the network as it is, and fits only the rule and the figures anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from upheld.conversation.checking.nearest import NearestFinder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.embedding.weights import NETWORK as EMBEDDER
from upheld.speech.embedding.weights import PACKAGE, PINNED, TENSORS, TOKENIZER, pinned_folder
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.trained.deciding import bars_of
from upheld.speech.interpretation.trained.showing import Surroundings
from upheld.speech.matching.trained.features import FEATURES
from upheld.speech.matching.trained.rule import RULES, SURE
from upheld.speech.retrieval.vectors import VectorIndex
from upheld.speech.trained.inputs import Pieces
from upheld.speech.trained.network import TrainedNetwork
from upheld.speech.trained.weights import CARD, FOLDER, NETWORK, trained_weights
from upheld_training.calibrating import FEWEST, Reply, bars, fit, left_out, told
from upheld_training.examples import Example, Maker
from upheld_training.exporting import MOST_CHANGED, changed, export
from upheld_training.learning import Course, learn
from upheld_training.measuring import measured
from upheld_training.network import Network, load_encoder
from upheld_training.reading import read_turns
from upheld_training.reading import told as told_of_reading
from upheld_training.replies import replies_of, replies_to_lists
from upheld_training.serving import Serving
from upheld_training.talks import candidates, talks, transcript_of
from upheld_training.talks import utterances as utterances_of
from upheld_training.texts import Judged, Utterance, is_held_out, judgements, pairs, said_again, utterances

NAME = "upheld-judge-2"

WHOLE = "network.pt"
"""The weights in full, kept beside the small ones on request."""

COURSES = (
    Course(passes=3, rate=1.4e-4, seed=1, last=0.5, warm=0.06),
    Course(passes=2, rate=1.2e-4, seed=3, last=0.0, warm=0.05),
)
"""All tasks in each: a longer course, and one in which the rate falls to nothing; ``--begin`` runs only this."""

PAIRED = 2
"""How often a pair is learned from in a pass, beside other neighbours: pairs are short, and teach contradiction most.
"""

MOST = 7
"""Most propositions beside a claim in training."""

PRECISE, SURELY, SURELY_BY_WORDS = 0.9, 0.9, 0.85
"""Share of replies called grounded that must be so with confidence, and share of those called ungrounded as seen, on
conversations that were left out; the last for a record that cues or the network read. Some twenty replies decide
there, 18 or 17 right by chance, so that the first of the two came and went. An objection costs a look; none approves.
"""

ASIDE = ("chats",)
"""What no rule for a record read by words is fitted on, only measured: half of these chats were written to mislead, and
what tells a stale reply in them is which value was replaced, which neither cues nor the network read well enough.
"""

READ_BY: Mapping[str, str] = {SURE: "annotated", **{rule: interpreter for interpreter, rule in RULES.items()}}
"""The rules on the card, each with the interpreter whose record it is for."""

LIMITS = (
    "English. A floor that abstains, not a reader on a par with a large language model: it fails at paraphrases that "
    "take knowledge of the world, and at several claims in one clause. Text and labels are by one language model, and "
    "the figures of the rules are of invented conversations and lists, each left out in turn."
)

Known = Mapping[str, Sequence[Transcript]]
"""Annotated conversations, by where they are from."""

REPOSITORY = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """All text of one run."""

    judged: Sequence[Judged]
    paired: Sequence[Judged]
    turns: Sequence[Utterance]

    def learned(self) -> Texts:
        """Give the part that is learned from."""
        return self._part(is_held=False)

    def held_out(self) -> Texts:
        """Give the part that is measured on."""
        return self._part(is_held=True)

    def _part(self, *, is_held: bool) -> Texts:
        return Texts(
            judged=[each for each in self.judged if is_held_out(each.group) is is_held],
            paired=[each for each in self.paired if is_held_out(each.group) is is_held],
            turns=[each for each in self.turns if is_held_out(each.group) is is_held],
        )


def read(folders: Sequence[Path], surroundings: Callable[[], Surroundings]) -> Texts:
    """Read the text of folders; each conversation has ``surroundings`` of its own."""
    found = [path for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    whole = list(talks(path for path in found if path.name.startswith(("talks-", "groups-"))))
    return Texts(
        judged=[
            *judgements(path for path in found if path.name.startswith("lists-")),
            *(each for talk in whole for each in candidates(talk, surroundings())),
        ],
        paired=list(pairs(path for path in found if path.name.startswith("stance-"))),
        turns=[
            *utterances(path for path in found if path.name.startswith("operations-")),
            *(each for talk in whole for each in utterances_of(talk, surroundings())),
        ],
    )


def train(
    texts: Texts,
    maker: Maker,
    network: Network,
    words: Tensor,
    after: Callable[[int], None],
    courses: Sequence[Course] = COURSES,
) -> None:
    """Train in place; ``after`` is called with the number of each pass that is done."""
    learned = texts.learned()

    def examples(chance: random.Random) -> list[Example]:
        again = said_again([*learned.judged, *learned.paired], chance)
        made = [maker.judged(each, most=MOST, chance=chance) for each in (*learned.judged, *again)]
        made += [maker.judged(each, chance=chance) for _ in range(PAIRED) for each in learned.paired]
        return made + [maker.utterance(each, chance) for each in learned.turns]

    done = 0
    for course in courses:
        learn(network, words, examples, course, told=_tell, after=lambda number, done=done: after(done + number))
        done += course.passes


def figures(texts: Texts, maker: Maker, network: Network, words: Tensor) -> dict[str, float]:
    """Give the figures on held-out text."""
    held = texts.held_out()
    return {
        **measured(network, words, [maker.judged(each) for each in held.judged], "whole judgements"),
        **measured(network, words, [maker.judged(each) for each in held.paired], "pairs"),
        **measured(network, words, [maker.utterance(each) for each in held.turns], "turns"),
    }


def calibrate(known: Known, serving: Serving, read_by: str, more: Mapping[str, Sequence[Reply]]) -> dict[str, Any]:
    """Fit a rule on annotated conversations, and set its bars on what each gives when it is left out.

    ``read_by`` tells how the turns came to mean something: by their labels, by cues, or by the network itself;
    ``more`` are replies to what nobody had to read.
    """
    parts = {name: list(replies_of(transcripts, serving, read_by=read_by)) for name, transcripts in known.items()}
    parts.update({name: list(replies) for name, replies in more.items()})
    is_sure = read_by == "annotated"
    aside = {} if is_sure else {name: parts.pop(name) for name in ASIDE}
    replies = [reply for part in parts.values() for reply in part]
    likelihoods, verdicts = left_out(replies), [reply.is_grounded for reply in replies]
    surely = SURELY if is_sure else SURELY_BY_WORDS
    rule, placed = fit(replies), bars(likelihoods, verdicts, precise=PRECISE, sure=surely)
    ends = list(accumulate(len(part) for part in parts.values()))
    spans = {name: slice(end - len(parts[name]), end) for name, end in zip(parts, ends, strict=True)}
    counts = ", ".join(f"{len(part)} of {name}" for name, part in parts.items())
    found = {name: told(likelihoods[span], verdicts[span], placed) for name, span in spans.items()}
    for name, part in aside.items():
        shares = np.array([rule.of_reply(reply) for reply in part])
        found[name] = told(shares, [reply.is_grounded for reply in part], placed)
    return {
        "features": list(FEATURES),
        "weights": [round(float(each), 6) for each in rule.weights],
        "bias": round(rule.bias, 6),
        "grounded_at": round(placed.grounded_at, 4),
        "ungrounded_at": round(placed.ungrounded_at, 4),
        "needs_guess": not is_sure,
        "fitted_on": f"{len(replies)} candidates ({counts}), read by: {read_by}",
        "bars": f"{PRECISE} right among those called grounded with a confidence of 95 %, {surely} among those "
        f"called ungrounded, on at least {FEWEST} candidates of conversations left out of the fit",
        "left_out": found,
    }


def main() -> None:
    """Run what the arguments say."""
    options = _options()
    folder: Path = options.out
    if not options.calibrate:
        _write(folder, _made(options, folder))
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    known = {
        "dev": [read_transcript(path) for path in sorted(options.conversations.glob("*.yaml"))],
        "own": [transcript_of(talk) for talk in talks(sorted(options.own.glob("calibration-?.jsonl")))],
        "chats": [transcript_of(talk) for talk in talks(sorted(options.own.glob("calibration-chats-?.jsonl")))],
    }
    if not known["dev"]:
        raise SystemExit(f"no annotated conversations in {options.conversations}: name a folder with *.yaml files")
    serving = Serving(network=TrainedNetwork(trained_weights(folder)), embedder=local_embedder(remembered=100_000))
    card["reading"] = told_of_reading({name: list(read_turns(each, serving)) for name, each in known.items()})
    found = [path for folder in (options.text, options.own) if folder is not None for path in folder.glob("lists-*")]
    card["limits"] = LIMITS
    lists = list(replies_to_lists(sorted(found), serving))
    for name, interpreter in READ_BY.items():
        more = {"lists": lists} if interpreter == "annotated" else {}
        card[name] = calibrate(known, replace(serving, bars=bars_of(card)), interpreter, more)
    _write(folder, card)
    told_now = {"reading": card["reading"], **{name: card[name]["left_out"] for name in READ_BY}}
    print(json.dumps({"figures": card.get("figures"), **told_now}, indent=1))  # noqa: T201


def _made(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    package = pinned_folder()
    pieces = _pieces(package / TOKENIZER)
    embedder = local_embedder(threads=2, remembered=100_000)
    everything = read([options.text, options.own], lambda: NearestFinder(embedder, lambda: VectorIndex(embedder)))
    maker, network = Maker(pieces, embedder), Network()
    words = load_encoder(network, package / EMBEDDER)
    folder.mkdir(parents=True, exist_ok=True)
    courses = COURSES
    if options.begin is not None:
        network.load_state_dict(torch.load(options.begin, weights_only=True))
        courses = COURSES[-1:]

    def kept(number: int) -> None:
        torch.save(network.state_dict(), folder / WHOLE)
        export(network, folder / f"{number}-{NETWORK}")

    train(everything, maker, network, words, kept if options.keep else lambda _: None, courses)
    export(network, folder / NETWORK)
    held = everything.held_out()
    by_bits = changed(network, words, folder / NETWORK, [maker.judged(each) for each in held.judged[:100]])
    if by_bits > MOST_CHANGED:
        raise SystemExit(f"eight bits change the probabilities by {by_bits:.3f} on average, over {MOST_CHANGED}")
    return {
        "name": NAME,
        "sha256": hashlib.sha256((folder / NETWORK).read_bytes()).hexdigest(),
        "words": {
            "package": PACKAGE,
            "sha256": PINNED[TENSORS],
            "offset": 0,
            "rows": len(words),
            "width": words.shape[1],
        },
        "figures": {**figures(everything, maker, network, words), "changed by eight bits": round(by_bits, 4)},
        "learned_from": _counts(everything.learned()),
        "limits": LIMITS,
    }


def _counts(texts: Texts) -> Mapping[str, int]:
    return {
        "claims of whole judgements": len(texts.judged),
        "pairs": len(texts.paired),
        "turns": len(texts.turns),
        "clauses": sum(len(each.operations) for each in texts.turns),
    }


def _pieces(path: Path) -> Pieces:
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def _write(folder: Path, card: Mapping[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD).write_text(json.dumps(card, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _tell(step: int, steps: int, loss: float) -> None:
    if step % 50 == 0 or step == steps:
        print(f"{step} of {steps}, loss {loss:.3f}", flush=True)  # noqa: T201


def _options() -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m upheld_training", description=__doc__)
    reader.add_argument("--text", type=Path, help="folder with the older training text")
    reader.add_argument("--own", type=Path, default=REPOSITORY / "training/text", help="folder with the newer text")
    reader.add_argument(
        "--conversations", type=Path, required=True, help="annotated conversations on which the rule is fitted"
    )
    reader.add_argument("--out", type=Path, default=FOLDER, help="folder for the weights and the card")
    reader.add_argument("--keep", action="store_true", help="keep the network after every pass beside the weights")
    reader.add_argument("--begin", type=Path, help="go on from weights that --keep left, by the last course alone")
    reader.add_argument("--calibrate", action="store_true", help="fit only the rule anew")
    options = reader.parse_args()
    if not options.calibrate and options.text is None:
        reader.error("--text names the folder with the older training text; --calibrate does without")
    return options


if __name__ == "__main__":
    main()
