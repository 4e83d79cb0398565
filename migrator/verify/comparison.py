"""Compares what two runs gave, output by output and batch by batch."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from dstream_compat.testing.values import Value
from migrator.verify.equality import Equality, without
from migrator.verify.matching import match_rows
from migrator.verify.outcome import Outcome
from migrator.verify.pairing import STATE, Pair, has_columns, pairs

ORDER = "the order of the rows differs"


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts as the same.

    Parameters
    ----------
    order
        Whether the order of rows counts in every output; else only where an output promises it.
    tolerance
        How far floats may differ.
    ignore
        Fields that do not count, as paths such as ``1`` or ``user.time``.
    """

    order: bool = False
    tolerance: float = 1e-9
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One output whose rows in one batch are not the same."""

    batch: int
    pair: Pair
    what: str
    only_old: tuple[Value, ...] = ()
    only_new: tuple[Value, ...] = ()
    both: tuple[Value, ...] = ()

    def place(self) -> tuple[int, bool, int]:
        """Where it comes in the order in which differences are looked for."""
        return self.batch, self.pair.kind == STATE, self.pair.number


@dataclass(slots=True)
class Comparison:
    """The comparison of two runs over the same batches."""

    pairs: list[Pair]
    batches: int
    differences: list[Difference] = field(default_factory=list)
    rows_old: int = 0
    rows_new: int = 0
    rows_both: int = 0

    def first(self) -> Difference | None:
        """The first difference: by batch, then by output, state last."""
        return min(self.differences, key=Difference.place, default=None)

    def share(self) -> float:
        """The share of rows that both runs gave, from 0 to 1."""
        most = max(self.rows_old, self.rows_new)
        return self.rows_both / most if most else 1.0

    def equal_batches(self) -> int:
        """How many batches are the same in every output."""
        return self.batches - len({one.batch for one in self.differences})


def compare(old: Outcome, new: Outcome, rules: Rules, batches: int) -> Comparison:
    """Compares two runs over the same input.

    Parameters
    ----------
    old, new
        What they gave.
    rules
        What counts as the same.
    batches
        How many batches are compared.
    """
    columns = has_columns(old, new)
    equality = Equality(rules.tolerance, columns)
    found = Comparison(pairs(old, new), batches)
    ignore = [path.split(".") for path in rules.ignore]
    for batch, pair in itertools.product(range(1, batches + 1), found.pairs):
        sides = [_runs(old, pair.old, batch), _runs(new, pair.new, batch)]
        if ignore:
            sides = [[[without(row, ignore) for row in rows] for rows in side] for side in sides]
        if columns:
            # an interval without input has a batch on DStreams, and none in a query
            sides = [[rows for rows in side if rows] for side in sides]
        _compare_batch(found, pair, batch, sides, equality, rules.order or pair.ordered)
    return found


def _runs(outcome: Outcome, output: int | None, batch: int) -> list[list[Value]]:
    return [] if output is None else outcome.runs[output].get(batch, [])


def _compare_batch(
    found: Comparison,
    pair: Pair,
    batch: int,
    sides: list[list[list[Value]]],
    equality: Equality,
    ordered: bool,
) -> None:
    old, new = ([row for rows in side for row in rows] for side in sides)
    only_old, only_new, both = match_rows(old, new, equality)
    if pair.kind != STATE:
        found.rows_old += len(old)
        found.rows_new += len(new)
        found.rows_both += len(both)
    times = [len(side) for side in sides]
    what = ""
    if times[0] != times[1]:
        what = pair.missing() or (
            f"it ran {counted(times[0])} in the old job and {counted(times[1])} in the new one"
        )
    elif only_old or only_new:
        what = "the rows differ"
    elif ordered and not (len(old) == len(new) and all(map(equality.same, old, new))):
        what, only_old, only_new, both = ORDER, old, new, []
    if what:
        found.differences.append(
            Difference(batch, pair, what, tuple(only_old), tuple(only_new), tuple(both))
        )


def counted(times: int) -> str:
    """A number of times, in words."""
    return {0: "not at all", 1: "once", 2: "twice"}.get(times, f"{times} times")
