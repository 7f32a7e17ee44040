"""Sentences for the self-test of an embedder: paraphrases, and sentences that are about something else."""

from __future__ import annotations

PAIRS = (
    ("The delivery will arrive on Monday morning.", "We expect the parcel at the start of the week, before noon."),
    ("The server ran out of disk space.", "There was no room left on the machine's hard drive."),
    ("She turned down the job offer.", "She decided not to accept the position."),
    ("The patient has a high temperature.", "He is running a fever."),
    ("Tickets are more expensive at weekends.", "It costs more to enter on Saturdays and Sundays."),
    ("The contract ends in December.", "Our agreement runs until the last month of the year."),
    ("They postponed the meeting.", "The appointment was moved to a later date."),
    ("The bridge is closed for repairs.", "You cannot cross the river there while it is being mended."),
    ("He forgot his password.", "He could not remember the code to log in."),
    ("The crop failed because of the drought.", "For want of rain there was no harvest."),
    ("We hired two new engineers.", "Two more developers joined the team."),
    ("The soup is too salty.", "Somebody put too much salt into the broth."),
)
"""Each in two wordings that share few words."""

UNRELATED = (
    "The orchestra tuned its instruments.",
    "A glacier covers the northern slope.",
    "The museum shows paintings of ships.",
    "Her cat sleeps on the window sill.",
    "The goalkeeper saved the penalty.",
    "Volcanic ash makes a fertile soil.",
)
"""Near to none of the pairs."""
