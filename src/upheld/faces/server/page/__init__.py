"""The page of the service: files that are built apart, and the headers that keep them to themselves."""
