"""Many conversations at once: which are open, whose they are, and how they are read and checked."""
