"""The tools, by what they do: those that put something on record, and those that only ask."""
