"""Upper and lower case, where the caller takes both as equal."""

from __future__ import annotations

import sys
import unicodedata

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


def mapped(spark: SparkSession, texts: list[str]) -> list[tuple[str, str, str]]:
    """Each text with its lower and upper case in Spark."""
    frame = spark.createDataFrame(pa.table({"text": texts}))
    found = frame.select("text", F.lower("text").alias("l"), F.upper("text").alias("u")).toArrow()
    columns = found.to_pydict()
    return [*zip(columns["text"], columns["l"], columns["u"], strict=True)]


@pytest.mark.slow
def test_only_new_letters_differ(spark: SparkSession) -> None:
    every = [chr(c) for c in range(1, sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    found = mapped(spark, every)
    assert len(found) == len(every)
    differ = [c for c, lower, upper in found if (c.lower(), c.upper()) != (lower, upper)]
    known = {c for c in differ if unicodedata.category(c) != "Cn"}
    assert known <= LATE_PAIRS
    assert len(differ) < len(every) / 1000


def test_letters_that_depend_on_others(spark: SparkSession) -> None:
    for text, lower, upper in mapped(spark, CONTEXTS):
        assert (lower, upper) == (text.lower(), text.upper())
