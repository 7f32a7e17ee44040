"""Texts as vectors: which of two says something nearer to a third."""
