"""A candidate's words into claims, and which proposition each is about."""
