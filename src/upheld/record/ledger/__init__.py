"""Entries, how they are written down and read back, and what every store of them promises."""
