"""Replies that people look at: flagged, given to somebody, decided and spoken about; one queue over a whole store."""
