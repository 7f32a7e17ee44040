"""What can be said, as frozen data. Nothing here infers anything, and every theory imports it."""
