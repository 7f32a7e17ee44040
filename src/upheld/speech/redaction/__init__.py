"""Secrets and personal data taken out of a text before anything is stored or sent."""
