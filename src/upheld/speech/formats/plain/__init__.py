"""Transcripts without annotation: who said what, as chat messages or as text."""
