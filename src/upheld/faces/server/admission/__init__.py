"""Who may come in: keys, how often they ask, and how much they send."""
