"""Answers as tables and lines for people, and as trees for programs."""
