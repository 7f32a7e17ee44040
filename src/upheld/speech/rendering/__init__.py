"""State into text for a context window and for people, and the graph into the formats that other tools draw."""
