"""Records are compared by value and type, outputs by their place, batches one by one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Row

from dstream_compat.testing.values import encode, written_record
from tests.support.structured.compare import SAME as EQUALITY
from tests.support.structured.compare import differences
from tests.support.structured.pairs import GOLDENS, Golden

SAME: list[tuple[Any, Any]] = [
    (("a", 1), Row(word="a", count=1)),
    ("a", Row(value="a")),
    (None, Row(value=None)),
    (("a", (1, 2.5)), Row(k="a", v=Row(x=1, y=2.5))),
    (("a", [1, 2]), Row(k="a", v=[1, 2])),
    (("a", {"x": 1}), Row(k="a", v={"x": 1})),
    (("a", {"x": 1, "y": 2}), Row(k="a", v=Row(y=2, x=1))),
    ({"x": 1}, Row(x=1)),
    ({"x": 1}, Row(value={"x": 1})),
    ((1, 2), Row(value=Row(a=1, b=2))),
    ([1, 2], Row(value=[1, 2])),
    ({1, 2}, Row(value=[2, 1])),
    (float("nan"), Row(value=float("nan"))),
    (b"a", Row(value=bytearray(b"a"))),
    (Row(a=1, b="x"), Row(b=1, a="x")),
    (Decimal("1.0"), Row(value=Decimal("1.0"))),
]
DIFFERENT: list[tuple[Any, Any]] = [
    (("a", 1), Row(word="a", count=2)),
    (("a", 1), Row(word="a", count=1, more=None)),
    (("a", 1), Row(count=1, word="a")),
    (1, Row(value=1.0)),
    (1, Row(value=True)),
    (1, Row(value="1")),
    ("", Row(value=None)),
    (0.1 + 0.2, Row(value=0.3)),
    (0.0, Row(value=-0.0)),
    (("a", (1, 2)), Row(k="a", v=[1, 2])),
    (("a", [1, 2]), Row(k="a", v=[2, 1])),
    (("a", [1, 2]), Row(k="a", v=Row(x=1, y=2))),
    (("a", {"x": 1}), Row(k="a", v=Row(y=1))),
    (("a", {"x": 1}), Row(k="a", v={"x": 1, "y": 1})),
    (("a", (1, 2)), Row(k="a", x=1, y=2)),
    (b"a", Row(value="a")),
    (Decimal("1.0"), Row(value=Decimal("1.00"))),
]
STEPS: list[dict[str, Any]] = [{"lines": ["a"]}, {}, {"lines": ["b"]}]


@pytest.mark.parametrize(("record", "row"), SAME)
def test_same(record: Any, row: Any) -> None:
    assert EQUALITY.same(encode(record), encode(row))


@pytest.mark.parametrize(("record", "row"), DIFFERENT)
def test_different(record: Any, row: Any) -> None:
    assert not EQUALITY.same(encode(record), encode(row))


def test_a_text_file_has_records_or_their_text() -> None:
    assert EQUALITY.same(written_record(("a", 1)), encode(Row(value="('a', 1)")))
    assert EQUALITY.same(written_record(("a", 1)), encode(Row(word="a", count=1)))
    assert not EQUALITY.same(written_record(("a", 1)), encode(Row(value="(a, 1)")))
    assert not EQUALITY.same(encode(("a", 1)), encode(Row(value="('a', 1)")))


def event(step: int, *records: Any, output: int = 0, **more: Any) -> dict[str, Any]:
    known = {"step": step, "output": output, "site": [], "kind": "shown", "n": 10}
    return known | {"records": [encode(record) for record in records]} | more


A = [event(1, "a", "b"), event(3, "c")]


def compared(result: list[dict[str, Any]], **options: bool) -> list[str]:
    return differences(A, result, STEPS, options)


def test_order_does_not_count_unless_asked() -> None:
    other = [event(1, Row(v="b"), Row(v="a")), event(3, Row(v="c"))]
    assert compared(other) == []
    assert compared(other, ordered=True) != []


def test_additional_record() -> None:
    other = [event(1, Row(v="b"), Row(v="a"), Row(v="a")), event(3, Row(v="c"))]
    assert compared(other) == ["batch 1, shown 1:\n  + Row(v='a')"]


def test_missing_batch() -> None:
    assert compared([event(1, Row(v="b"), Row(v="a"))]) == ["batch 3, shown 1:\n  - 'c'"]


def test_batch_that_came_twice() -> None:
    other = [event(1, Row(v="b"), Row(v="a")), event(3, Row(v="c")), event(3, Row(v="c"))]
    (found,) = compared(other)
    assert "1 times with records, the rewrite 2 times" in found


def test_idle_intervals_count_only_if_asked() -> None:
    other = [event(1, "a", "b"), event(2, "x"), event(3, "c")]
    assert compared(other) == []
    assert compared(other, idle=True) == ["batch 2, shown 1:\n  + 'x'"]


def test_output_without_records_is_none() -> None:
    other = [event(1, output=1), *A, event(3, output=1)]
    assert compared(other) == []


def test_outputs_are_not_exchanged() -> None:
    pair = [event(1, "a"), event(1, "b", output=1)]
    exchanged = [event(1, "b"), event(1, "a", output=1)]
    assert differences(pair, pair, STEPS, {}) == []
    assert len(differences(pair, exchanged, STEPS, {})) == 2


def test_shown_is_not_saved() -> None:
    other = [one | {"kind": "saved"} for one in A]
    assert len(compared(other)) == 4


def test_files_are_compared_by_name() -> None:
    file = event(1, "x", kind="files", path="a.log")
    assert compared([*A, file]) == ["batch 1, file a.log:\n  + 'x'"]
    assert differences([*A, file], [*A, file], STEPS, {}) == []


@pytest.mark.parametrize(
    ("name", "is_told"),
    # one that ends by itself, and one that the harness stops, at any line
    [("polled_view", True), ("network_wordcount", False)],
)
def test_what_main_threads_print(name: str, is_told: bool) -> None:
    golden = Golden(GOLDENS / name)
    one, other = ({"problems": [], "events": [], "stdout": each} for each in ("#a 2\n", "#a 3\n"))
    assert golden.compare(one, one) == []
    assert bool(golden.compare(one, other)) is is_told
    assert golden.gives_something(one) is is_told
    assert not golden.gives_something(one | {"stdout": ""})
