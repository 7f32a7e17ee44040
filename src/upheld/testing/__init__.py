"""Shipped for those who write a part of their own: suites that tell whether it keeps the promises of its place."""
