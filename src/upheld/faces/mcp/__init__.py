"""The Model Context Protocol: what the service answers and does, as tools and resources of a language model's host."""
