"""Replies that were put before a person, and what became of them: entries like all others, and where they are found."""
