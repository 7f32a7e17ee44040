"""Questions to a state. Each reads; none changes anything."""
