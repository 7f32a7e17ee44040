"""Corrections in task dialogues (MultiWOZ, SGD): which value was replaced, and does a stale reply pass?"""
