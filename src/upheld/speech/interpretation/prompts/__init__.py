"""Instructions to language models as Markdown files with versions, and quotation, which keeps them apart from data."""
