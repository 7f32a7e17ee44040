"""What the readers of all exports share: a file read in pieces, messages and their parts, and what was left out."""
