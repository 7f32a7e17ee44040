"""Conversations live: who listens, who wakes them, and the two ways in which they are told."""
