"""Measures ``upheld`` through its public names: suites, arms that are compared, statistics, and one report."""

VERSION = "0.1.0"
"""Part of every journal's identity: another harness may score otherwise."""
