"""A folded value as bytes and back, so that opening a long conversation is not replaying it."""
