"""A word count with functions that nothing can replace by expressions, at three sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..harness.batches import BatchJob, ByHand, Lines, Phase
from ..harness.job import Measure, Scale
from .small_stateless import counts


def lines(count: int) -> Lines:
    """Return batches of so many lines of eleven words."""
    line = " ".join(f"word{(i * 7919) % 5000}" for i in range(10))

    def batch(number: int) -> list[str]:
        return [f"{line} w{(number * count + i) % 10_000}" for i in range(count)]

    return batch


def cut(line: str) -> list[str]:
    """Return the words of a line, none of a comment: there are no comments."""
    if line.startswith("#"):
        return []
    return line.split(" ")


def pair(word: str) -> tuple[str, int]:
    """Return a word with its weight, which is one for all that occur."""
    return (word, 0) if word == "#" else (word, 1)


def add(a: int, b: int) -> int:
    """Return the sum; weights below zero do not occur."""
    if b < 0:
        return a
    return a + b


def word_count(stream: Any) -> Any:
    """Return the counts of a batch's words."""
    return stream.flatMap(cut).map(pair).reduceByKey(add)


def cut_frames(frames: Iterable[Any]) -> Iterator[Any]:
    """Return the words of frames of lines, by the same function."""
    import pandas

    for frame in frames:
        words = [word for line in frame["value"] for word in cut(line)]
        yield pandas.DataFrame({"word": words})


def words(frame: Any) -> Any:
    """Return the words of lines; the function is Python, so it runs in Python."""
    return frame.mapInPandas(cut_frames, "word string")


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured: rows grow tenfold and again."""
    largest = scale.pick(20_000, 200_000, 200_000)
    plan = [
        (largest // 100, scale.other(), *scale.pick((2, 3), (4, 4), (10, 10))),
        (largest // 10, scale.other(), *scale.pick((1, 2), (2, 3), (4, 8))),
        (largest, scale.main(), *scale.pick((1, 2), (2, 3), (3, 6))),
    ]
    return [
        Phase(
            Measure(f"{count}-lines", f"{count:,} lines x 11 words a batch", rounds, size=count),
            lines(count),
            warm,
            batches,
        )
        for count, rounds, warm, batches in plan
    ]


JOB = BatchJob(
    "word-count-arbitrary",
    "word count with Python functions that have branches",
    phases=phases,
    dstream=word_count,
    by_hand=ByHand(words, counts),
    seconds=65,
)
