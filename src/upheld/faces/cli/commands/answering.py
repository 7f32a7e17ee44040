"""A question in words to a conversation: ``ask``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from upheld.conversation.answering.answer import Answer
from upheld.conversation.answering.asking import ask, renderer_of
from upheld.conversation.answering.context import BUDGET
from upheld.conversation.asking.questions import Questions, Snapshot
from upheld.errors import NoRecording
from upheld.faces.cli.console import note, say_json, say_lines
from upheld.faces.cli.language_models import Asked, LlmOptions, asked_model
from upheld.faces.cli.options import GROUNDED, UNGROUNDED, AsJson, At, FileName, Interpreter, Reading, command
from upheld.faces.cli.rendering.answers import section
from upheld.faces.cli.sources import conversation_of
from upheld.faces.report.wording import grounds_line, quoted, reason_of, spoken
from upheld.faces.trees import plain
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.speech.rendering.lines import one_line

Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="What one would like to know, in words.", show_default=False)
]
Budget = Annotated[
    int, typer.Option("--budget", min=1, metavar="TOKENS", help="How much of the record a language model is shown.")
]
MustAnswer = Annotated[bool, typer.Option("--must-answer", help="End with status 1 also when the record does not say.")]

_NOT_GROUNDED = "not grounded; it is not to be relied on"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions(LlmOptions):
    """What ``ask`` takes."""

    file: FileName
    question: Question
    at: At = ""
    budget: Budget = BUDGET
    must_answer: MustAnswer = False
    interpreter: Interpreter = Reading.AUTO
    as_json: AsJson = False


@command(
    "ask",
    "Answer a question from the record, or say what is missing.",
    'upheld ask talk.yaml "Why was the database vacuum ruled out?"',
    'upheld ask talk.yaml "When is the limit rolled out?" --at T9 --json',
    'upheld ask sqlite:///incident.db#night "What was decided?" --model openai:gpt-4o',
)
def ask_question(options: AskOptions) -> int:
    """Answer a question from what stands in the record, with where it comes from, or say what is missing.

    Without --model the answer is in the record's own words, and only where they fit the question well. With --model a
    language model answers from a page of the record; its answer counts only if all that it cites stands.

    Ends with status 1 when a language model's answer is not grounded, or could not be checked. That the record does not
    say is an answer too, with status 0: add --must-answer where it must not pass.
    """
    with asked_model(options) as chosen:
        conversation = conversation_of(options.file, options.interpreter, llm=chosen.llm, options=options)
        turns = tuple(event for event in conversation.timeline.events if isinstance(event, Turn))
        asked: Questions = conversation.at(options.at) if options.at else Snapshot(conversation.state)
        answer = _answer(asked, turns, options, chosen)
    if answer is None:
        return GROUNDED
    if options.as_json:
        say_json({"at": options.at or asked.state.last_turn, **_tree(answer)})
    else:
        say_lines(_lines(asked, answer))
    return UNGROUNDED if _fails(answer, must_answer=options.must_answer) else GROUNDED


def _answer(asked: Questions, turns: tuple[Turn, ...], options: AskOptions, chosen: Asked) -> Answer | None:
    """Give the answer, or nothing where requests are only written down."""
    renderer = renderer_of(asked, turns=turns)
    try:
        return ask(asked, options.question, llm=chosen.llm, renderer=renderer, budget=options.budget)
    except NoRecording:
        if not chosen.is_export:
            raise
        return None


def _fails(answer: Answer, *, must_answer: bool) -> bool:
    if answer.outcome is Outcome.ABSTAIN:
        # A text that could not be checked is no abstention of whoever answered.
        return must_answer or bool(answer.text)
    return answer.outcome is Outcome.UNGROUNDED


def _lines(asked: Questions, answer: Answer) -> Iterator[Any]:
    state = asked.state
    if answer.outcome is Outcome.GROUNDED:
        yield from answer.text.splitlines()
        chains = (grounds_line(each.grounds) for claim in answer.claims for each in claim.findings)
        yield from section("rests on", dict.fromkeys(chain for chain in chains if chain))
        return
    if answer.text:
        yield f"{answer.by} answers: {one_line(answer.text)}"
        reasons = dict.fromkeys(spoken(reason) for claim in answer.claims if (reason := reason_of(claim)) is not None)
        yield f"{_NOT_GROUNDED}: {', '.join(reasons) or one_line(answer.missing)}"
        for finding in (each for claim in answer.claims for each in claim.findings if each.reason is not None):
            yield f"  {quoted(state, finding.literal.proposition)}: {spoken(finding.reason)}"  # pyright: ignore[reportArgumentType]
    else:
        yield f"the record does not say: {one_line(answer.missing)}"
    if answer.nearest:
        yield from section("nearest", (quoted(state, id) for id in answer.nearest))
    if answer.usage.calls:
        note(f"{answer.usage.calls} calls, {answer.usage.tokens} tokens")


def _tree(answer: Answer) -> dict[str, Any]:
    return {**plain(answer), "claims": [plain(claim) for claim in answer.claims]}
