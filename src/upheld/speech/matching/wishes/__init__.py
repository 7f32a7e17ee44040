"""What people wish for: options that exclude each other, and wishes that a later wish puts in doubt."""
