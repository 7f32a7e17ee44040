"""Matching by the trained network: what it makes of a claim, what stands, and how sure both together are."""
