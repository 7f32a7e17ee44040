"""Turns into operations."""
