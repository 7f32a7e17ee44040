"""Proof trees of EntailmentBank: what falls with a sentence, and whether a reader finds what rests on what."""
