"""Upper and lower case, where the caller takes both as equal."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# Unicode 16 and later gave these letters an upper case
LATE_PAIRS = {"\u019b", "\u0264", "\ua7d3", "\ua7d5"}
SIGMA, BETA, ALPHA = "\u03a3", "\u0392", "\u0391"
CONTEXTS = [
    *(ALPHA + SIGMA + end for end in ("", f" {BETA}", BETA, ".", f"'{BETA}", f"\u00ad{BETA}")),
    *(SIGMA, f"{ALPHA}.{SIGMA}", f"a\u0345{SIGMA}", "\u0130", "\u0149", "\ufb01", "\u00df"),
]


# a million rows in one table are too many for the heap of a small machine
ROWS = 50_000


def mapped(spark: SparkSession, texts: list[str]) -> Iterator[tuple[str, str, str]]:
    """Each text with its lower and upper case in Spark."""
    for begin in range(0, len(texts), ROWS):
        frame = spark.createDataFrame(pa.table({"text": texts[begin : begin + ROWS]}))
        found = frame.select("text", F.lower("text").alias("l"), F.upper("text").alias("u"))
        columns = found.toArrow().to_pydict()
        yield from zip(columns["text"], columns["l"], columns["u"], strict=True)


@pytest.mark.slow
@pytest.mark.full
def test_only_new_letters_differ(spark: SparkSession) -> None:
    every = [chr(c) for c in range(1, sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    found = list(mapped(spark, every))
    assert len(found) == len(every)
    differ = [c for c, lower, upper in found if (c.lower(), c.upper()) != (lower, upper)]
    known = {c for c in differ if unicodedata.category(c) != "Cn"}
    assert known <= LATE_PAIRS
    assert len(differ) < len(every) / 1000


def test_letters_that_depend_on_others(spark: SparkSession) -> None:
    for text, lower, upper in mapped(spark, CONTEXTS):
        assert (lower, upper) == (text.lower(), text.upper())
