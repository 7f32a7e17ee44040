"""A question in words to a conversation, answered from what stands or not at all."""

from __future__ import annotations

from upheld.conversation.answering.answer import Answer, grounds_of
from upheld.conversation.answering.citing import check_answer, cited
from upheld.conversation.answering.context import BUDGET, ConversationContext
from upheld.conversation.answering.extracting import MOST_NEAREST, extracted
from upheld.conversation.answering.items import StateItems
from upheld.conversation.answering.prompt import answer_request
from upheld.conversation.asking.questions import Questions
from upheld.conversation.checking.readers import matcher
from upheld.conversation.conversation import Conversation
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.speech.matching.matcher import Matcher
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.structured import ask_for
from upheld.speech.rendering.context.renderer import ContextRenderer
from upheld.speech.rendering.context.searching import HitSource

NO_ANSWER = "the record does not say"


def ask(
    asked: Questions,
    question: str,
    *,
    llm: LanguageModel | None = None,
    search: HitSource | None = None,
    renderer: ContextRenderer | None = None,
    reader: Matcher | None = None,
    budget: int = BUDGET,
) -> Answer:
    """Answer a question about a conversation, or say what is missing.

    Without a language model the answer is what the record says in its own words, where that fits the question well
    enough. With one, it is asked once (and once more where its reply cannot be read), shown at most ``budget`` tokens
    of what the question is about; its answer is given as grounded only if all that it cites stands, and its words claim
    nothing else. ``search`` finds the items, ``reader`` the claims of the answer; a ``renderer`` that is kept in step
    with the conversation (:class:`~upheld.conversation.answering.context.ConversationContext`) saves reading it anew.

    Raises:
        ModelFailure: the language model gave nothing to go by; nothing is answered in its place.
        LimitExceeded: the budget has no room for anything.
    """
    pages = renderer if renderer is not None else renderer_of(asked, search)
    if llm is None:
        return extracted(asked.state, question, pages)
    return _answered(asked.state, question, llm, pages, reader if reader is not None else matcher(), budget)


def renderer_of(asked: Questions, search: HitSource | None = None, *, turns: tuple[Turn, ...] = ()) -> ContextRenderer:
    """Give the lines of a conversation, or of a state of it with the words of ``turns``. Cost: the whole of it."""
    if isinstance(asked, Conversation):
        return ConversationContext(asked, search=search).renderer
    pages = ContextRenderer(search=search)
    pages.refresh(StateItems(asked.state, {each.id: each for each in turns}.get))
    return pages


def _answered(
    state: State, question: str, llm: LanguageModel, pages: ContextRenderer, reader: Matcher, budget: int
) -> Answer:
    page = pages.retrieved(question, budget=budget)
    shown = tuple(id for id in page.shown if id in state.propositions)
    reply = ask_for(llm, answer_request(page.text, question), lambda tree: cited(tree, frozenset(shown)))
    answer = reply.value
    nearest = shown[:MOST_NEAREST]
    if answer.abstains:
        return Answer(
            question=question,
            text="",
            outcome=Outcome.ABSTAIN,
            by=llm.name,
            missing=answer.missing or NO_ANSWER,
            nearest=nearest,
            usage=reply.usage,
        )
    verdict = check_answer(state, answer, question, pages.item, reader)
    is_grounded = verdict.outcome is Outcome.GROUNDED
    return Answer(
        question=question,
        text=answer.text,
        outcome=verdict.outcome,
        by=llm.name,
        claims=verdict.claims,
        grounds=grounds_of(verdict.claims) if is_grounded else (),
        missing=verdict.abstained,
        nearest=() if is_grounded else nearest,
        usage=reply.usage,
    )
