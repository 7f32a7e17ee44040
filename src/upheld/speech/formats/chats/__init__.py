"""Chats of people and of assistants, as their programs export them."""
