"""Conversations in files: annotated transcripts, plain chats and text, and exports of other programs, in and out."""
