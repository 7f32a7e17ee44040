"""A reply matched by a language model: it judges what is meant, the engine judges what stands."""
