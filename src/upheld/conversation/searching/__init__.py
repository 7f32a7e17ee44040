"""Claims that can be found: what a conversation files of them, and search over all conversations of a store."""
