"""Matching by a user's own network for natural language inference: what entails a claim, and what it entails."""
