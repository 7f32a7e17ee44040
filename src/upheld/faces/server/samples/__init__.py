"""Conversations that come with the service, to try things on; all of them are invented."""
