"""What whoever operates the service sees of it: numbers, traces and lines, and nothing of what was said."""
