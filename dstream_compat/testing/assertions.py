"""Asserts that batches are equal, and shows the first difference so that it can be read."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from .batches import Batches, as_batches, encode_rows
from .comparison import Equality, match_rows, without
from .results import Output
from .values import Value, readable

_SHOWN: Final = 20


class BatchesDiffer(AssertionError):
    """Two jobs, or a job and what was expected of it, do not give the same."""


def assert_batches_equal(
    left: Any,
    right: Any,
    *,
    order: bool | None = None,
    tolerance: float = 0.0,
    ignore: Collection[str | int] = (),
) -> None:
    """Assert that each output gave the same in each batch.

    Parameters
    ----------
    left, right : Batches, Results, dict, list or DataFrame
        what to compare; a list has the rows of each batch of the only output, a dict such lists by
        output. Two DataFrames are compared through chispa
    order : bool, optional
        whether the order of the rows of a batch counts; if it is missing, where it is promised
    tolerance : float
        by which floats may differ, absolute and relative to the larger one
    ignore : collection of str or int
        fields that are left out: names in rows, dicts and objects, positions in tuples, with dots
        for fields in fields

    Raises
    ------
    BatchesDiffer
        which shows the first batch and output that differ, and their rows
    ImportError
        if there are DataFrames and no chispa
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    if hasattr(left, "toPandas") or hasattr(right, "toPandas"):
        _assert_frames_equal(left, right, order, tolerance, ignore)
        return
    one, other = as_batches(left), as_batches(right)
    pairs = _output_pairs(one, other)
    equality = Equality(tolerance, rows=True)
    paths = [str(field).split(".") for field in ignore]
    for batch in range(max(one.count, other.count)):
        for output, rows, other_output, other_rows in pairs:
            sides = (rows, other_rows)
            encoded = [encode_rows(of[batch]) if batch < len(of) else [] for of in sides]
            promised = output.ordered or other_output.ordered
            in_order = promised if order is None else order
            if difference := _difference(encoded, paths, equality, in_order):
                name = output.name or "the output"
                after = f", after {output.operator}" if output.operator else ""
                raise BatchesDiffer(f"batch {batch + 1}, {name}{after}: {difference}")
    if one.count != other.count:
        raise BatchesDiffer(f"left has {one.count} batches, right {other.count}; the rest is equal")


def _difference(
    rows: list[list[Value]], paths: list[list[str]], equality: Equality, in_order: bool
) -> str:
    """Return how two batches differ, as a text; empty if they do not."""
    left, right = ([without(row, paths) for row in side] for side in rows)
    only_left, only_right, both = match_rows(left, right, equality)
    if only_left or only_right:
        return "\n".join(
            [
                f"{len(left)} rows left, {len(right)} right, {len(both)} in both",
                *_rows("only left", only_left),
                *_rows("only right", only_right),
            ]
        )
    alike = [*map(equality.same, left, right)]
    if not in_order or all(alike):
        return ""
    at = alike.index(False)
    return "\n".join(
        [
            f"the same {len(both)} rows in another order",
            f"  from row {at + 1} on",
            *_rows("left", left[at:]),
            *_rows("right", right[at:]),
        ]
    )


def _rows(title: str, rows: list[Value]) -> list[str]:
    if not rows:
        return []
    lines = [f"  {title} ({len(rows)}):", *(f"    {readable(row)}" for row in rows[:_SHOWN])]
    return lines if len(rows) <= _SHOWN else [*lines, f"    and {len(rows) - _SHOWN} more"]


def _output_pairs(
    left: Batches, right: Batches
) -> list[tuple[Output, list[list[Any]], Output, list[list[Any]]]]:
    """Return the outputs to compare: by name, or one by one where the names differ."""
    if sorted(left) == sorted(right):
        order = {output.name: output for output in right.outputs}
        return [
            (output, left[output.name], order[output.name], right[output.name])
            for output in left.outputs
        ]
    if len(left) != len(right):
        names = [", ".join(side) or "none" for side in (left, right)]
        raise BatchesDiffer(f"other outputs\n  left: {names[0]}\n  right: {names[1]}")
    return [
        (output, left[output.name], other, right[other.name])
        for output, other in zip(left.outputs, right.outputs, strict=True)
    ]


def _assert_frames_equal(
    left: Any, right: Any, order: bool | None, tolerance: float, ignore: Collection[str | int]
) -> None:
    try:
        from chispa import (
            DataFramesNotEqualError,
            SchemasNotEqualError,
            assert_approx_df_equality,
            assert_df_equality,
        )
    except ImportError as error:
        raise ImportError(
            "DataFrames are compared by chispa, which is not installed: pip install chispa"
        ) from error
    if not (hasattr(left, "toPandas") and hasattr(right, "toPandas")):
        raise TypeError("one side is a DataFrame and the other is not: collect its rows")
    names = [name for name in ignore if isinstance(name, str)]
    left, right = left.drop(*names), right.drop(*names)
    options: dict[str, Any] = {"ignore_row_order": not order, "allow_nan_equality": True}
    try:
        if tolerance:
            assert_approx_df_equality(left, right, tolerance, **options)
        else:
            assert_df_equality(left, right, **options)
    except (DataFramesNotEqualError, SchemasNotEqualError) as error:
        raise BatchesDiffer(str(error)) from None
