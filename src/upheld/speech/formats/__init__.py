"""Conversations in files: annotated transcripts, plain chats and plain text, in and out."""

from upheld.speech.formats.reading import parse_transcript, read_transcript
from upheld.speech.formats.transcript import FORMAT, Transcript
from upheld.speech.formats.writing import write_transcript

__all__ = ["FORMAT", "Transcript", "parse_transcript", "read_transcript", "write_transcript"]
