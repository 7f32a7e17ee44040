"""A reply that arrives in pieces, and leaves sentence by sentence, each when it was checked."""
