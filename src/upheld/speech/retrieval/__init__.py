"""Finding again what was said: engine items and turns that bear on a question."""
