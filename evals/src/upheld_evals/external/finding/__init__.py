"""Retrieval held against evidence that people marked: shared by the suites and by the benchmark of retrieval."""
