"""Turns read by the trained network, with the rules of slots and corrections beside it."""
