"""What stands, as text for the context window of a language model: for a budget, with its sources, kept in step."""
