"""Every semantics by one engine: extensions, acceptance, why an argument falls, and what an edit changes."""
