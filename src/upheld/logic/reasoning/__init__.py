"""The engine: one state, one transition, and the questions that can be asked of it."""
