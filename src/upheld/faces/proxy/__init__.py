"""The proxy: what does a program say to a language model, and may the answer leave? Needs ``upheld[server]``."""
