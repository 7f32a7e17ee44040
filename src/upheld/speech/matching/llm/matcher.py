"""A matcher that asks a language model what a reply means: one question a reply."""

from __future__ import annotations

from collections.abc import Collection

from upheld.logic.language.identities import AgentId
from upheld.speech.matching.beside.rules import EXACT
from upheld.speech.matching.cues import is_small_talk
from upheld.speech.matching.lexical import MAX_TEXT, TOO_LONG
from upheld.speech.matching.llm.candidates import Candidates, LexicalCandidates
from upheld.speech.matching.llm.reading import read_reply
from upheld.speech.matching.llm.request import LIMIT, TURNS, Asked, instructions, request_for
from upheld.speech.matching.matcher import Claim, Matched
from upheld.speech.matching.quoting.words import words_of
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.structured import ask_for
from upheld.speech.view import View

MOST_SMALL_TALK = 200
"""Characters of a text that may be no more than a greeting."""


class LlmMatcher:
    """Claims and links by a language model, with named rules beside it; safe to call from several threads.

    It is shown the reply, what was said just before, and the propositions that the reply may be about, but neither
    lifecycle nor standing: it judges what is meant, the engine judges what stands. What it passed over, could not tell
    or named wrongly is never grounded. Any language that it reads is covered.
    """

    version_of_rules = "1"

    def __init__(
        self,
        llm: LanguageModel,
        *,
        candidates: Candidates | None = None,
        limit: int = LIMIT,
        turns: int = TURNS,
        exact: Collection[str] = EXACT,
    ) -> None:
        """Ask this language model.

        ``limit`` is the most propositions that it is shown, ``turns`` the most turns before the reply, ``exact`` the
        rules by which a differing value makes a claim ungrounded; by any other rule it could not be checked.
        """
        self._llm = llm
        self._candidates = candidates if candidates is not None else LexicalCandidates()
        self._limit = limit
        self._turns = turns
        self._exact = frozenset(exact)

    @property
    def name(self) -> str:
        """The method, and which language model."""
        return f"llm({self._llm.name})"

    @property
    def version(self) -> str:
        """Version of the rules, and of the instructions."""
        return f"{self.version_of_rules}+{instructions().label}"

    def request(self, text: str, view: View, *, speaker: AgentId | None = None) -> Asked:
        """Give what would be asked, for a batch; :func:`~upheld.speech.matching.llm.reading.read_reply` reads it."""
        return request_for(text, view, speaker, candidates=self._candidates, limit=self._limit, turns=self._turns)

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text; raises and costs as :meth:`matched`."""
        return self.matched(text, view, speaker=speaker).claims

    def matched(self, text: str, view: View, *, speaker: AgentId | None = None) -> Matched:
        """Give the claims of a text and what they cost: one question, and one more if the answer had to be mended.

        Nothing is asked of a text without words, of one that only greets or thanks, and of one over the size limit.

        Raises:
            ModelFailure: no usable answer. A check makes a verdict of it that nothing could be checked.
        """
        if len(text) > MAX_TEXT:
            return Matched(claims=(Claim(span=(0, len(text)), text=text, abstained=TOO_LONG),))
        if not words_of(text) or (len(text) <= MOST_SMALL_TALK and is_small_talk(text)):
            return Matched(claims=())
        asked = self.request(text, view, speaker=speaker)
        answered = ask_for(self._llm, asked.request, lambda value: read_reply(value, asked, exact=self._exact))
        return Matched(claims=answered.value, usage=answered.usage)
