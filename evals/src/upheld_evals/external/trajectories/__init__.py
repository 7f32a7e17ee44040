"""Agents with tools (tau-bench): where the values in a reply came from, and whether a wrong one is noticed."""
