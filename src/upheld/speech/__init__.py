"""Words into operations and claims, and back: the only room that reads natural language."""
