"""Compares what two runs gave, output by output and batch by batch."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field, replace

from dstream_compat.testing.client_calls import prepare_once
from dstream_compat.testing.comparison import Equality, match_rows, without
from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import Value, decode
from migrator.verify.batch_times import time_of, without_times
from migrator.verify.idle import IdleIntervals, only_zero
from migrator.verify.pairing import CALLS, PRINTED, STATE, Pair, has_columns, pairs

_ROWS = ("tuple", "list", "dict", "row", "object")
ORDER = "the order of the rows differs"


def with_printed_records(old: Results, new: Results) -> Results:
    """Return what a job of DStreams gave, its `pprint` as lines if the new job shows no tables."""
    kinds = {output.kind for output in new.outputs}
    if "show" in kinds or "printed" not in kinds:
        return old
    outputs: list[Output] = []
    runs: list[dict[int, list[list[Value]]]] = []
    for output, printed_rows in zip(old.outputs, old.runs, strict=True):
        if output.kind == "pprint":
            try:
                printed_rows = {
                    batch: [_lines(rows[: output.num]) for rows in times]
                    for batch, times in printed_rows.items()
                }
            except ValueError:
                # an object whose text is not known
                return old
            output = replace(output, kind="printed")
        outputs.append(output)
        runs.append(printed_rows)
    return replace(old, outputs=outputs, runs=runs)


def _lines(rows: list[Value]) -> list[Value]:
    return [["str", line] for row in rows for line in str(decode(row)).split("\n")]


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts as the same.

    Parameters
    ----------
    order : bool
        Whether the order of rows counts in every output; else only where an output promises it.
    tolerance : float
        How far floats may differ.
    ignore : tuple of str
        Fields that do not count, as paths such as ``1`` or ``user.time``.
    idle : frozenset of int
        The lines of the outputs that a query does not give in intervals without input.
    """

    order: bool = False
    tolerance: float = 1e-9
    ignore: tuple[str, ...] = ()
    idle: frozenset[int] = frozenset()


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
        """Return where it comes in the order in which differences are looked for."""
        return self.batch, self.pair.kind == STATE, self.pair.number


@dataclass(slots=True)
class Comparison:
    """The comparison of two runs over the same batches.

    Parameters
    ----------
    idle : list of (int, Pair)
        Intervals without input in which a query leaves out what the old job gave.
    times : list of str
        The outputs in whose lines the time of the batch was not compared.
    """

    pairs: list[Pair]
    batches: int
    differences: list[Difference] = field(default_factory=list)
    idle: list[tuple[int, Pair]] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    rows_old: int = 0
    rows_new: int = 0
    rows_both: int = 0

    def first(self) -> Difference | None:
        """Return the first difference: by batch, then by output, state last."""
        return min(self.differences, key=Difference.place, default=None)

    def share(self) -> float:
        """Return the share of rows that both runs gave, from 0 to 1."""
        most = max(self.rows_old, self.rows_new)
        return self.rows_both / most if most else 1.0

    def equal_batches(self) -> int:
        """Return how many batches are the same in every output."""
        return self.batches - len({difference.batch for difference in self.differences})


def compare(old: Results, new: Results, rules: Rules, batches: int) -> Comparison:
    """Compare two runs over the same input."""
    columns = has_columns(old, new)
    if columns:
        old = with_printed_records(old, new)
    equality = Equality(rules.tolerance, columns)
    ignore = [path.split(".") for path in rules.ignore]

    times: dict[str, None] = {}
    idle = IdleIntervals(rules.idle if columns else (), old, new)

    def compare_batch(pair: Pair, batch: int) -> tuple[Difference, bool]:
        """Return how a batch differs, and whether only in what a query leaves out."""
        difference = of_outputs(pair, batch, pair.old)
        left_out = idle.omitted_outputs(pair, batch) if difference.what else ()
        if left_out:
            mine = tuple(number for number in pair.old if number not in left_out)
            rest = of_outputs(pair, batch, mine)
            # a window that is empty has a count of 0, where that of DStreams may have none
            if not rest.what or (not difference.only_old and only_zero(rest.only_new)):
                return replace(rest, what="", only_new=()), True
        return difference, False

    def of_outputs(pair: Pair, batch: int, mine: tuple[int, ...]) -> Difference:
        sides = [_runs(old, mine, batch), _runs(new, pair.new, batch)]
        if ignore:
            sides = [[[without(row, ignore) for row in rows] for rows in side] for side in sides]
        if pair.kind == CALLS:
            # a function that is not run calls nothing, as one that has nothing to send
            sides = [[prepare_once([row for rows in side for row in rows])] for side in sides]
            if not (rules.order or pair.ordered):
                sides = [[[in_any_order(row) for row in rows] for rows in side] for side in sides]
        if columns and pair.kind == PRINTED:
            lines = without_times(sides, time_of(old, batch))
            if lines != sides:
                sides, times[pair.name] = lines, None
        if columns:
            # an interval without input has a batch on DStreams, and none in a query
            sides = [[rows for rows in side if rows] for side in sides]
        difference = _compare_rows(pair, batch, sides, equality, rules.order or pair.ordered)
        if not difference.what and not columns and _is_cut(pair, len(difference.both)):
            nums = "the old job prints the first {} of the rows, the new one the first {}"
            difference = replace(difference, what=nums.format(*pair.nums))
        return difference

    def alike(pair: Pair) -> bool:
        return not any(compare_batch(pair, batch)[0].what for batch in range(1, batches + 1))

    comparison = Comparison(pairs(old, new, alike), batches)
    for batch, pair in itertools.product(range(1, batches + 1), comparison.pairs):
        difference, is_idle = compare_batch(pair, batch)
        if is_idle:
            comparison.idle.append((batch, pair))
        if pair.kind != STATE:
            # rows in another order are in both
            rows = () if difference.what == ORDER else difference.both
            comparison.rows_old += len(difference.only_old) + len(rows)
            comparison.rows_new += len(difference.only_new) + len(rows)
            comparison.rows_both += (
                len(difference.only_old) if difference.what == ORDER else len(rows)
            )
        if difference.what:
            comparison.differences.append(difference)
    comparison.times = [*times]
    return comparison


def in_any_order(call: Value) -> Value:
    """Return a call of a client whose lists of rows are sorted: their order is not promised."""
    match call:
        case ["list", list(values)] if values and all(value[0] in _ROWS for value in values):
            return ["list", sorted(map(in_any_order, values), key=json.dumps)]
        case ["tuple" | "list" as kind, list(values)]:
            return [kind, [*map(in_any_order, values)]]
        case ["dict", list(pairs)]:
            return ["dict", [[key, in_any_order(one)] for key, one in pairs]]
        case ["object", name, list(fields)]:
            return ["object", name, [[field, in_any_order(one)] for field, one in fields]]
    return call


def _runs(outcome: Results, outputs: tuple[int, ...], batch: int) -> list[list[Value]]:
    runs = [rows for output in outputs for rows in outcome.runs[output].get(batch, [])]
    # what several outputs print leaves the job together
    return runs if len(outputs) < 2 else [[row for rows in runs for row in rows]]


def _compare_rows(
    pair: Pair, batch: int, sides: list[list[list[Value]]], equality: Equality, ordered: bool
) -> Difference:
    """Return how the rows of a batch differ; what differs is empty if they do not."""
    old, new = ([row for rows in side for row in rows] for side in sides)
    only_old, only_new, both = match_rows(old, new, equality)
    times = [len(side) for side in sides]
    what = pair.wrong() if any(times) else ""
    if what:
        pass
    elif times[0] != times[1]:
        what = f"it ran {in_words(times[0])} in the old job and {in_words(times[1])} in the new one"
    elif only_old or only_new:
        what = "the rows differ"
    elif ordered and not (len(old) == len(new) and all(map(equality.same, old, new))):
        what, only_old, only_new, both = ORDER, old, new, []
    return Difference(batch, pair, what, tuple(only_old), tuple(only_new), tuple(both))


def _is_cut(pair: Pair, rows: int) -> bool:
    """Return whether the jobs print another number of rows that are the same."""
    return pair.prints_others() and rows > min(num for num in pair.nums if num is not None)


def in_words(times: int) -> str:
    """Return a number of times, in words."""
    return {0: "not at all", 1: "once", 2: "twice"}.get(times, f"{times} times")
