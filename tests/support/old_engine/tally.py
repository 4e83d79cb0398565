"""A class whose instances are the states of a job, and functions of states, for its workers."""

from __future__ import annotations


class Tally:
    """How often a word came, and in how many batches."""

    def __init__(self, words: int, batches: int) -> None:
        self.words = words
        self.batches = batches


def sums(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def tallies(new: list[int], old: Tally | None) -> Tally:
    return Tally((old.words if old else 0) + len(new), (old.batches if old else 0) + 1)
