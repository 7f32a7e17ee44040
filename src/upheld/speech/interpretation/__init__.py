"""Turns into operations."""

from upheld.speech.interpretation.annotated import AnnotatedInterpreter
from upheld.speech.interpretation.interpreter import Interpreted, Interpreter
from upheld.speech.interpretation.local import LocalInterpreter

__all__ = ["AnnotatedInterpreter", "Interpreted", "Interpreter", "LocalInterpreter"]
