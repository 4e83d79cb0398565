"""Asserts that batches are equal, and shows the first difference so that it can be read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from .batches import Batches, as_batches, encoded
from .comparison import Comparison, RowDifference
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
        fields that are left out: names in rows, dicts and objects, positions in tuples

    Raises
    ------
    BatchesDiffer
        which shows the first batch and output that differ, and their rows
    ImportError
        if there are DataFrames and no chispa
    """
    if hasattr(left, "toPandas") or hasattr(right, "toPandas"):
        _assert_frames_equal(left, right, order, tolerance, ignore)
        return
    one, other = as_batches(left), as_batches(right)
    pairs = _paired(one, other)
    comparison = Comparison(tolerance, frozenset(ignore))
    for batch in range(max(one.count, other.count)):
        for output, rows, other_output, other_rows in pairs:
            sides = (rows, other_rows)
            given = tuple(encoded(of[batch]) if batch < len(of) else [] for of in sides)
            promised = output.ordered or other_output.ordered
            in_order = promised if order is None else order
            found = comparison.difference(given[0], given[1], in_order)
            if found:
                raise BatchesDiffer(describe(batch + 1, output, found, given))
    if one.count != other.count:
        raise BatchesDiffer(f"left has {one.count} batches, right {other.count}; the rest is equal")


def describe(batch: int, output: Output, found: RowDifference, given: Sequence[list[Value]]) -> str:
    """Return a text that shows how a batch differs.

    Parameters
    ----------
    batch : int
        its number
    output : Output
        which output
    found : RowDifference
        how it differs
    given : sequence of list
        the rows of both
    """
    name = output.name or "the output"
    after = f", after {output.operator}" if output.operator else ""
    if found.moved is not None:
        at = found.moved
        return "\n".join(
            [
                f"batch {batch}, {name}{after}: the same {found.in_both} rows in another order",
                f"  from row {at + 1} on",
                *_rows("left", given[0][at:]),
                *_rows("right", given[1][at:]),
            ]
        )
    return "\n".join(
        [
            f"batch {batch}, {name}{after}: "
            f"{len(given[0])} rows left, {len(given[1])} right, {found.in_both} in both",
            *_rows("only left", found.only_left),
            *_rows("only right", found.only_right),
        ]
    )


def _rows(title: str, rows: list[Value]) -> list[str]:
    if not rows:
        return []
    lines = [f"  {title} ({len(rows)}):", *(f"    {readable(row)}" for row in rows[:_SHOWN])]
    return lines if len(rows) <= _SHOWN else [*lines, f"    and {len(rows) - _SHOWN} more"]


def _paired(
    left: Batches, right: Batches
) -> list[tuple[Output, list[list[Any]], Output, list[list[Any]]]]:
    """Return the outputs to compare: by name, or one by one where the names differ."""
    if sorted(left) == sorted(right):
        order = {output.name: output for output in right.outputs}
        return [(one, left[one.name], order[one.name], right[one.name]) for one in left.outputs]
    if len(left) != len(right):
        names = [", ".join(side) or "none" for side in (left, right)]
        raise BatchesDiffer(f"other outputs\n  left: {names[0]}\n  right: {names[1]}")
    return [
        (one, left[one.name], other, right[other.name])
        for one, other in zip(left.outputs, right.outputs, strict=True)
    ]


def _assert_frames_equal(
    left: Any, right: Any, order: bool | None, tolerance: float, ignore: Collection[str | int]
) -> None:
    try:
        from chispa import assert_approx_df_equality, assert_df_equality
    except ImportError as error:
        raise ImportError(
            "DataFrames are compared by chispa, which is not installed: pip install chispa"
        ) from error
    if not (hasattr(left, "toPandas") and hasattr(right, "toPandas")):
        raise TypeError("one side is a DataFrame and the other is not: collect its rows")
    names = [name for name in ignore if isinstance(name, str)]
    left, right = left.drop(*names), right.drop(*names)
    if tolerance:
        assert_approx_df_equality(
            left, right, tolerance, ignore_row_order=not order, allow_nan_equality=True
        )
    else:
        assert_df_equality(left, right, ignore_row_order=not order, allow_nan_equality=True)
