"""The HTTP service: what did a program ask? Needs ``upheld[server]``; its parts are imported by name."""
