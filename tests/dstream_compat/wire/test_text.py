"""Bytes that are not UTF-8 give as many replacement characters as in Java."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark import SparkContext

from dstream_compat.wire.text import REPLACE

EDGES = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0]
EDGES += [0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF]


def in_java(sc: SparkContext, texts: list[bytes]) -> list[str]:
    """Decode lines, joined so that few calls do it."""
    jvm: Any = sc._jvm
    found: str = jvm.org.apache.hadoop.io.Text.decode(b"\n".join(texts))
    return found.split("\n")


def in_python(texts: list[bytes]) -> list[str]:
    return [text.decode("utf-8", REPLACE) for text in texts]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b"\xed\xa0\x80", 1),
        (b"\xed\xa0", 1),
        (b"\xed", 1),
        (b"\xed\xa0\xed\xb0\x80", 2),
        (b"\xed\x9f\xbf", 0),
        (b"\xe2\x82", 1),
        (b"\xc0\xaf", 2),
        (b"\xe0\x80\x80", 3),
        (b"\xf4\x90\x80\x80", 4),
    ],
)
def test_errors(sc: SparkContext, data: bytes, count: int) -> None:
    (found,) = in_python([data])
    assert found.count("\ufffd") == count
    assert [found] == in_java(sc, [data])


def test_all_sequences_of_edges(sc: SparkContext) -> None:
    texts = [bytes(each) for size in (1, 2, 3) for each in product(EDGES, repeat=size)]
    texts += [b"\xed" + bytes(each) for each in product(EDGES, repeat=3)]
    assert in_python(texts) == in_java(sc, texts)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.sampled_from(EDGES), max_size=12).map(bytes), max_size=50))
def test_any_bytes(sc: SparkContext, texts: list[bytes]) -> None:
    assert in_python(texts or [b""]) == in_java(sc, texts)
