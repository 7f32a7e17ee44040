"""Where ledgers are kept: in the process, or in a file."""
