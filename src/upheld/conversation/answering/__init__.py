"""Questions in words to a conversation: what a reader is shown of it, and answers that rest on what stands."""
