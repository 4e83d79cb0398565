"""Lives of one job over a checkpoint."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark import SparkContext

import dstream_compat as ours


@pytest.fixture
def ssc(sc: SparkContext) -> Iterator[ours.StreamingContext]:
    made = ours.StreamingContext(sc, 1)
    yield made
    made.stop(stopSparkContext=False)


CHANGED = threading.Condition()


def running(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def pair(word: str) -> tuple[str, int]:
    return word, 1


def put(folder: Path, second: float, text: str) -> None:
    draft = folder.parent / f"draft-{second}"
    draft.write_text(text)
    os.utime(draft, (second, second))
    draft.rename(folder / f"part-{second}")
