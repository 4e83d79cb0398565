"""A class whose instances are the states of a job."""

from __future__ import annotations


class Tally:
    """How often a word came, and in how many batches."""

    def __init__(self, words: int, batches: int) -> None:
        self.words = words
        self.batches = batches
