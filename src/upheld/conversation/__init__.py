"""What happens in a turn? Words are interpreted, the engine steps, the record is appended, a reply is checked."""
