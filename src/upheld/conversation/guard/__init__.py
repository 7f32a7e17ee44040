"""What stands between a language model and its user: a reply is held against the record before it leaves."""
