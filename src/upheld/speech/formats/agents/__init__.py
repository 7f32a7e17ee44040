"""What agents did: traces of observability programs, event streams and trajectories."""
