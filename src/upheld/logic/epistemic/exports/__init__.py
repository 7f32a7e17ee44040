"""Epistemic problems as the texts of other model checkers, read and written, so that both can be asked the same."""
