"""From one state to the next: what must hold, what is done, and what then follows."""
