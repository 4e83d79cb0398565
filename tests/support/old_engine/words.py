"""What jobs over words do with them."""

from __future__ import annotations

from typing import Any

from batches import kept
from tally import sums, tallies


def count(words: Any) -> None:
    """Define two states, of numbers and of a class, and outputs."""
    ones = words.map(lambda word: (word, 1))
    total = ones.updateStateByKey(sums)
    total.checkpoint(2)
    kept("sums", total)
    counted = ones.updateStateByKey(tallies)
    counted.checkpoint(2)
    kept("pairs", counted.mapValues(lambda tally: [tally.words, tally.batches]))
    kept("last", words)
