"""A conversation to look at: all that happened, what each event did, and how two moments or conversations differ."""
