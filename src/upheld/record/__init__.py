"""What was said, and on what grounds? The append-only ledger and the stores that keep it."""
