"""The interpreter with a language model: requests and replies as values, and one class that sends them."""
