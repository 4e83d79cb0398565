"""Batches are compared as multisets or in order, and the first difference is shown."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
from pyspark.sql import Row

from dstream_compat.testing import (
    Batches,
    BatchesDiffer,
    Output,
    RecordingError,
    assert_batches_equal,
)


def named(name: str, rows: list[list[Any]], ordered: bool = False) -> Batches:
    return Batches([Output(name, "pprint", "map at job.py:3", ordered)], [rows], len(rows))


@pytest.mark.parametrize(
    ("left", "right", "options"),
    [
        ([], [], {}),
        ([[1, 2, 2]], [[2, 1, 2]], {}),
        ([[1, 2]], [[1, 2]], {"order": True}),
        ([[("a", 1)]], [[Row(word="a", count=1)]], {}),
        ([[math.nan]], [[math.nan]], {}),
        ([[{"a": 1, "b": 2}]], [[{"b": 2, "a": 1}]], {}),
        ([[{3, 1}]], [[{1, 3}]], {}),
        ([[1.0, 2.0]], [[2.001, 1.001]], {"tolerance": 0.01}),
        # the first row fits both, the second one of them only
        ([[1.0, 1.2]], [[1.1, 0.95]], {"tolerance": 0.15}),
        ([[{"a": 1, "at": 5}]], [[{"a": 1, "at": 6}]], {"ignore": ["at"]}),
        ([[Row(a=1, at=5)]], [[Row(a=1, at=6)]], {"ignore": ["at"]}),
        ([[("a", 1, 7)]], [[("a", 1, 8)]], {"ignore": [2]}),
        ({"x": [[1]], "y": [[2]]}, {"y": [[2]], "x": [[1]]}, {}),
        (named("pprint at old.py:1", [[1]]), named("pprint at new.py:9", [[1]]), {}),
        (named("a", [[1, 2]], ordered=True), named("a", [[2, 1]], ordered=True), {"order": False}),
    ],
)
def test_equal(left: Any, right: Any, options: dict[str, Any]) -> None:
    assert_batches_equal(left, right, **options)


@pytest.mark.parametrize(
    ("left", "right", "options", "shown"),
    [
        ([[1]], [[1, 1]], {}, "1 rows left, 2 right, 1 in both\n  only right (1):\n    1"),
        ([[1], [2]], [[1], [3]], {}, "batch 2, the output: 1 rows left, 1 right, 0 in both"),
        ([[1], [2]], [[1], [3]], {}, "only left (1):\n    2\n  only right (1):\n    3"),
        ([[1]], [[1.0]], {}, "only left (1):\n    1\n  only right (1):\n    1.0"),
        ([[0.0]], [[math.nan]], {"tolerance": 1.0}, "nan"),
        ([[1, 2, 3]], [[1, 3, 2]], {"order": True}, "in another order\n  from row 2 on"),
        ([[1], []], [[1]], {}, "left has 2 batches, right 1"),
        ([[1], [2]], [[1]], {}, "batch 2, the output: 1 rows left, 0 right"),
        ([[{"a": 1, "at": 5}]], [[{"a": 2, "at": 5}]], {"ignore": ["at"]}, "{'a': 1, 'at': *}"),
        ({"x": [[1]]}, {"x": [[1]], "y": [[2]]}, {}, "other outputs\n  left: x\n  right: x, y"),
        ([[list(range(30))[n] for n in range(30)]], [[]], {}, "and 10 more"),
        (named("pprint at job.py:4", [[1]]), [[2]], {}, "job.py:4, after map at job.py:3: "),
        (named("a", [[1, 2]], ordered=True), named("a", [[2, 1]]), {}, "in another order"),
    ],
)  # fmt: skip
def test_differences(left: Any, right: Any, options: dict[str, Any], shown: str) -> None:
    with pytest.raises(BatchesDiffer) as caught:
        assert_batches_equal(left, right, **options)
    assert shown in str(caught.value)


@pytest.mark.parametrize("given", [1, [1, 2], ["ab"], [[1], None]])
def test_what_has_no_batches(given: Any) -> None:
    with pytest.raises(RecordingError):
        assert_batches_equal(given, [[1]])


class Frame:
    """Looks as a DataFrame does."""

    def toPandas(self) -> None:
        raise AssertionError("nobody needs it")


def test_without_chispa(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chispa", None)
    with pytest.raises(ImportError, match="pip install chispa"):
        assert_batches_equal(Frame(), Frame())


def test_a_frame_is_not_compared_with_a_list() -> None:
    with pytest.raises(TypeError, match="collect its rows"):
        assert_batches_equal(Frame(), [[1]])


def test_outputs_are_found_by_name_and_kind() -> None:
    batches = named("pprint at job.py:4", [[1]])
    assert batches["pprint at job.py:4"] == batches.only == batches.of_kind("pprint")[0] == [[1]]
    assert batches.of_kind("state") == []
    with pytest.raises(KeyError, match=r"there are pprint at job\.py:4"):
        batches["other"]
    with pytest.raises(ValueError, match="0 outputs, not one: none"):
        _ = Batches([], [], 0).only
