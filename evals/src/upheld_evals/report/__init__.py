"""What a run found, as a table in the terminal, as JSON, and as one page."""
