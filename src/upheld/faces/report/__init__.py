"""The report: one HTML file that shows a conversation, its graph and its verdicts, and needs no network."""
