"""How repartition deals records to partitions, without Spark."""

from __future__ import annotations

from collections import Counter

import pytest

from dstream_compat.worker.operators.partition import Repartition


@pytest.mark.parametrize("records", [1, 3, 8, 100])
def test_small_partitions_are_spread(records: int) -> None:
    op = Repartition(1, 8, 1000, 1000, int)
    found: Counter[int] = Counter()
    for source in range(80):
        for part, count, _ in op.write_from((source,), iter(range(records))):
            found[part] += count
    assert found == dict.fromkeys(range(8), 80 * records // 8)
