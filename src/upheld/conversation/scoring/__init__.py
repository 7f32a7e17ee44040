"""How well the answers agree with the labels of annotated files."""
