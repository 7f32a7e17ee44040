"""Quotations in a reply, and whether anybody wrote that."""
