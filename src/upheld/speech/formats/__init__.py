"""Conversations in files: annotated transcripts, plain chats and plain text, in and out."""
