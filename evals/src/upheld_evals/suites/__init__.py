"""Suites on annotated conversations: operations, verdicts, dependencies, retractions, length."""
