"""The routes, a file a concern."""
