"""Replies with the evidence that they were given, judged by people (DialFact, MTRAG, BEGIN): is the reply supported?"""
