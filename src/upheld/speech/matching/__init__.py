"""A candidate's words into claims, and which proposition each is about."""

from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Claim, Link, Matcher, Relation

__all__ = ["Claim", "LexicalMatcher", "Link", "Matcher", "Relation"]
