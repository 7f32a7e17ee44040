"""Benchmarks of other people, read from a path: LoCoMo and LongMemEval."""
