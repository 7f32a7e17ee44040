"""What is known and believed: the ordered base, abduction over it, and explicit worlds to compare with."""
