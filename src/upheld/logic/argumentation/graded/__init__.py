"""Graded variants of standing: weighted attacks, confidence, partial dependency; each names itself in its result.

Off by default: nothing else of the package asks them, and at its extremes each coincides with the plain labels.
"""
