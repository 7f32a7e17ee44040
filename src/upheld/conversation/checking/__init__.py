"""Replies held against what stands: one text, or every reply of a transcript."""
