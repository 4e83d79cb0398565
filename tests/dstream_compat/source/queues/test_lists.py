"""How lists are cut into partitions, against PySpark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.source.queues.lists import cut

LENGTHS = (0, 1, 2, 3, 5, 8, 20)
RANGES = (range(1), range(5, 6), range(3, 30, 4), range(10, -3, -2), range(4, 4), range(100))
OTHERS: tuple[Any, ...] = ("text", {"a": 1, "b": 2}, ("a", None), b"bytes")


def collections() -> list[Any]:
    return [*(list(range(n)) for n in LENGTHS), *RANGES, *OTHERS, list(range(3100))]


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 2], ids=["default batches", "small batches"])
def test_cut_as_pyspark_does(sc: SparkContext, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sc, "_batchSize", most)
    cases = [(number, slices) for number in range(len(collections())) for slices in (1, 2, 3, 7)]
    rdds = [sc.parallelize(collections()[number], slices) for number, slices in cases]
    expected = iter(sc.union(rdds).glom().coalesce(2).collect())
    for number, slices in cases:
        ours = [list(part) for part in cut(collections()[number], slices, most or 1024)]
        assert ours == [next(expected) for _ in range(slices)], (collections()[number], slices)


def test_iterators_are_read_to_their_end() -> None:
    def parts(collection: Iterable[Any]) -> list[Any]:
        return [list(part) for part in cut(collection, 3, 1024)]

    for length in LENGTHS:
        assert parts(iter(range(length))) == parts(list(range(length)))
