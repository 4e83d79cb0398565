"""Digests find what differs, and nothing else."""

from __future__ import annotations

import pytest

from benchmarks.harness.compare import OutputsDiffer, check, digest, merged, partial
from benchmarks.harness.figures import Digest


def test_order_does_not_matter() -> None:
    assert digest([("a", 1), ("b", 2)]) == digest([("b", 2), ("a", 1)])


@pytest.mark.parametrize(
    "other",
    [
        [("a", 1)],
        [("a", 1), ("b", 3)],
        [("a", 1), ("b", 2), ("b", 2)],
        [("a", 1), ("b", 2.0)],
        [("a", 2), ("b", 1)],
    ],
)
def test_a_difference_is_found(other: list[tuple[str, float]]) -> None:
    assert digest([("a", 1), ("b", 2)]).value != digest(other).value


def test_partitions_give_the_digest_of_all() -> None:
    records = [(f"key-{i}", i) for i in range(1000)]
    parts = [partial(records[:10]), partial([]), partial(records[10:])]

    assert merged(parts) == digest(records)
    assert digest(records).rows == 1000


def test_nothing_has_a_digest() -> None:
    assert digest([]) == merged([]) == Digest(0, "0" * 32, [])


def test_equal_outputs_are_counted() -> None:
    same = {"0": digest([1]), "1": digest([2])}

    assert check({"dstreams": same, "ours": same, "structured": same}, "job") == 4
    assert check({"ours": same}, "job") == 0


def test_batches_that_only_one_has_are_not_compared() -> None:
    one = {"0": digest([1]), "1": digest([2])}

    assert check({"dstreams": one, "structured": {"1": digest([2])}}, "job") == 1


def test_a_differing_batch_is_named() -> None:
    one = {"0": digest([1]), "1": digest([("a", 2)])}
    other = {"0": digest([1]), "1": digest([("a", 3)])}

    with pytest.raises(OutputsDiffer, match=r"job, batch 1: dstreams has 1 records such as \('a'"):
        check({"dstreams": one, "ours": other}, "job")


def test_every_engine_is_compared() -> None:
    good, bad = {"0": digest([1])}, {"0": digest([2])}

    with pytest.raises(OutputsDiffer, match="structured has 1 records such as 2"):
        check({"dstreams": good, "ours": good, "structured": bad}, "job")


def test_outputs_without_a_batch_in_common_are_refused() -> None:
    with pytest.raises(OutputsDiffer, match="no batch in common: 0 and none"):
        check({"dstreams": {"0": digest([1])}, "ours": {}}, "job")
    assert check({"dstreams": {}, "ours": {}}, "job") == 0
