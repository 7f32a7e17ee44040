"""The commands, a module a group; each function takes its options and gives an exit status."""
