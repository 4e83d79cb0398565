"""Compares what two runs gave, output by output and batch by batch."""

from __future__ import annotations

import difflib
import itertools
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from dstream_compat.testing.client_calls import prepare_once
from dstream_compat.testing.comparison import Equality, match_rows, without
from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import Value, decode, fields
from migrator.run.structured_jobs import first_form
from migrator.run.taken_code import surroundings
from migrator.structured.json_shape import json_shape
from migrator.structured.rewrite import Rewritten, rewrite
from migrator.verify.pairing import (
    CALLS,
    FOREACH,
    PRINTED,
    STATE,
    STREAM,
    Pair,
    has_columns,
    kind_of,
    pairs,
)

_ROWS = ("tuple", "list", "dict", "row", "object")
ORDER = "the order of the rows differs"
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?")
_LEFT_OUT = "(time of the batch)"

Sides = list[list[list[Value]]]
_LINE = re.compile(r":(\d+)(?: \(\d+\))?$")
# receivers of Kafka need the addresses of brokers to become a query, which do not matter here
_BROKERS = "broker:9092"
VERDICT = "verdict.json"
"""The file of a verification's folder that has its report."""


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

    def different(self, pair: Pair) -> list[int]:
        """Return the batches in which an output differs."""
        return [difference.batch for difference in self.differences if difference.pair == pair]

    def share(self) -> float:
        """Return the share of rows that both runs gave, from 0 to 1."""
        most = max(self.rows_old, self.rows_new)
        return self.rows_both / most if most else 1.0

    def equal_batches(self) -> int:
        """Return how many batches are the same in every output."""
        return self.batches - len({difference.batch for difference in self.differences})


def compare(old: Results, new: Results, rules: Rules, batches: int) -> Comparison:
    """Compare two runs over the same input."""
    return _Comparing(old, new, rules, batches).result()


class _Comparing:
    """Compares two runs, in whose rows columns count if one is of a query."""

    def __init__(self, old: Results, new: Results, rules: Rules, batches: int) -> None:
        self.columns = has_columns(old, new)
        self.old = with_printed_records(old, new) if self.columns else old
        self.new = new
        self.rules = rules
        self.batches = range(1, batches + 1)
        self.equality = Equality(rules.tolerance, self.columns)
        self.ignore = [path.split(".") for path in rules.ignore]
        self.idle = IdleIntervals(rules.idle if self.columns else (), self.old, new)
        # outputs in whose lines the time of the batch was left out
        self.times: dict[str, None] = {}

    def result(self) -> Comparison:
        """Return how the runs compare."""
        comparison = Comparison(pairs(self.old, self.new, self._alike), len(self.batches))
        for batch, pair in itertools.product(self.batches, comparison.pairs):
            difference, is_idle = self._compare_batch(pair, batch)
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
        comparison.times = [*self.times]
        return comparison

    def _alike(self, pair: Pair) -> bool:
        return not any(self._compare_batch(pair, batch)[0].what for batch in self.batches)

    def _compare_batch(self, pair: Pair, batch: int) -> tuple[Difference, bool]:
        """Return how a batch differs, and whether only in what a query leaves out."""
        difference = self._of_outputs(pair, batch, pair.old)
        left_out = self.idle.omitted_outputs(pair, batch) if difference.what else ()
        if left_out:
            mine = tuple(number for number in pair.old if number not in left_out)
            rest = self._of_outputs(pair, batch, mine)
            # a window that is empty has a count of 0, where that of DStreams may have none
            if not rest.what or (not difference.only_old and only_zero(rest.only_new)):
                return replace(rest, what="", only_new=()), True
        return difference, False

    def _of_outputs(self, pair: Pair, batch: int, mine: tuple[int, ...]) -> Difference:
        ordered = self.rules.order or pair.ordered
        sides = [_runs(self.old, mine, batch), _runs(self.new, pair.new, batch)]
        if self.ignore:
            sides = [
                [[without(row, self.ignore) for row in rows] for rows in side] for side in sides
            ]
        if pair.kind == CALLS:
            # a function that is not run calls nothing, as one that has nothing to send
            sides = [[prepare_once([row for rows in side for row in rows])] for side in sides]
            if not ordered:
                sides = [[[in_any_order(row) for row in rows] for rows in side] for side in sides]
        if self.columns and pair.kind == PRINTED:
            lines = without_times(sides, time_of(self.old, batch))
            if lines != sides:
                sides, self.times[pair.name] = lines, None
        if self.columns:
            # an interval without input has a batch on DStreams, and none in a query
            sides = [[rows for rows in side if rows] for side in sides]
        difference = _compare_rows(pair, batch, sides, self.equality, ordered)
        if not difference.what and not self.columns and _is_cut(pair, len(difference.both)):
            nums = "the old job prints the first {} of the rows, the new one the first {}"
            difference = replace(difference, what=nums.format(*pair.nums))
        return difference


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


def time_of(old: Results, batch: int) -> str:
    """Return the time of a batch as a job on DStreams prints it; empty if it is not known."""
    begin, interval = old.header.get("begin"), old.header.get("interval")
    if begin is None or interval is None:
        return ""
    return str(datetime.fromtimestamp(begin / 1000 + batch * interval))


def without_times(sides: Sides, time: str) -> Sides:
    """Return the lines that both jobs have printed in a batch, without its time.

    In lines of the query that is any time which no line of the original has, so times in the data
    are compared.

    Parameters
    ----------
    sides : list
        the lines of the original and of the query, one list for each time that an output ran
    time : str
        the time of the batch, as the original prints it
    """
    original, query = sides
    found = {each for rows in original for _, line in rows for each in _TIME.findall(line)}
    if time not in found:
        return sides
    data = found - {time}

    def without(rows: list[Value], kept: Callable[[str], bool]) -> list[Value]:
        def leave_out(match: re.Match[str]) -> str:
            return match[0] if kept(match[0]) else _LEFT_OUT

        return [[kind, _TIME.sub(leave_out, line)] for kind, line in rows]

    return [
        [without(rows, lambda each: each != time) for rows in original],
        [without(rows, data.__contains__) for rows in query],
    ]


def first_operator(old: Results, new: Results, first: Difference, rules: Rules) -> str:
    """Return the first operator whose rows differ, up to the batch in which an output does.

    Parameters
    ----------
    old, new : Results
        Runs with their intermediate streams; without them, the operator is that of the output.
    """
    equality = Equality(rules.tolerance)
    ignore = [path.split(".") for path in rules.ignore]
    aligned = list(aligned_streams(old, new))
    for batch in range(1, first.batch + 1):
        for mine, other in aligned:
            sides = [
                [
                    without(row, ignore)
                    for rows in outcome.runs[number].get(batch, [])
                    for row in rows
                ]
                for outcome, number in ((old, mine), (new, other))
            ]
            only_old, only_new, _ = match_rows(sides[0], sides[1], equality)
            if only_old or only_new:
                return _operator_text(
                    old.outputs[mine].name, new.outputs[other].name, batch, first.batch
                )
    return of_output(first.pair)


def of_output(pair: Pair) -> str:
    """Return the operator of an output: that of the migrated job, where it is another one."""
    if not pair.old or not pair.new_operator:
        return pair.operator
    methods = [text.partition(" at ")[0] for text in (pair.operator, pair.new_operator)]
    if methods[0] == methods[1]:
        return pair.operator
    return f"{pair.new_operator} (in the migrated job only)"


def _operator_text(old: str, new: str, batch: int, shown_in: int) -> str:
    named = old if old == new else f"{old} ({new} in the migrated job)"
    return named if batch == shown_in else f"{named}, whose rows differ from batch {batch} on"


def aligned_streams(old: Results, new: Results) -> Iterator[tuple[int, int]]:
    """Yield pairs of streams that the same operators make, in the order in which jobs define them.

    Parameters
    ----------
    old, new : Results
        Runs with their intermediate streams.
    """
    sides = [
        [number for number, output in enumerate(outcome.outputs) if output.kind == STREAM]
        for outcome in (old, new)
    ]
    names = [
        [outcome.outputs[number].name.partition(" at ")[0] for number in numbers]
        for outcome, numbers in zip((old, new), sides, strict=True)
    ]
    matcher = difflib.SequenceMatcher(None, names[0], names[1], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and b - a == d - c):
            yield from zip(sides[0][a:b], sides[1][c:d], strict=True)


def idle_outputs(text: str, shape: str | None = None, file: Path | None = None) -> frozenset[int]:
    """Return the lines of the outputs that a query does not give in intervals without input.

    Parameters
    ----------
    text : str
        The original; one that has no form in Structured Streaming has none.
    shape : str, optional
        The shape of its JSON texts with which it was migrated.
    file : Path, optional
        Its file, beside which its modules are.
    """
    try:
        json = None if shape is None else json_shape(shape)
        around = None if file is None else surroundings(file)
        make = partial(rewrite, brokers=_BROKERS, json=json, around=around)
        form = first_form(make, text, unsafe=True, portable=False)
    except SyntaxError:
        return frozenset()
    return form.idle if isinstance(form, Rewritten) else frozenset()


def only_zero(rows: Sequence[Value]) -> bool:
    """Return whether rows are a single count of nothing."""
    return len(rows) == 1 and rows[0][0] == "row" and fields(rows[0]) == [["int", "0"]]


class IdleIntervals:
    """The intervals in which nothing came for outputs whose query has no batch then.

    Parameters
    ----------
    lines : collection of int
        Where the original defines these outputs.
    """

    def __init__(self, lines: Collection[int], old: Results, new: Results) -> None:
        self._old = old
        self._new = new
        self._input: dict[str, list[int]] | None = old.header.get("input") if lines else None
        self._lines = lines

    def omitted_outputs(self, pair: Pair, batch: int) -> tuple[int, ...]:
        """Return the outputs of the old job in a pair that the query may leave out in a batch."""
        if self._input is None:
            return ()
        outputs = tuple(self._idle(pair, batch, self._input))
        has_run = len(pair.new) == 1 and self._has_run(pair.new[0], batch)
        gave = any(rows for number in outputs for rows in self._old.runs[number].get(batch, ()))
        return () if has_run and gave else outputs

    def _idle(self, pair: Pair, batch: int, numbers: dict[str, list[int]]) -> Iterator[int]:
        for number in pair.old:
            owner = self._owner(number)
            match = _LINE.search(owner.name)
            if match is None or int(match[1]) not in self._lines:
                continue
            if not any(batch in numbers.get(source, ()) for source in owner.sources or numbers):
                yield number

    def _owner(self, number: int) -> Output:
        """Return the output in whose function another one is given out, or itself."""
        first = self._old.outputs[number].place[0]
        return self._old.outputs[first if first < len(self._old.outputs) else number]

    def _has_run(self, number: int, batch: int) -> bool:
        """Return whether the query of an output had a batch."""
        query = self._new.outputs[number].place[:1]
        return any(
            batch in runs
            for output, runs in zip(self._new.outputs, self._new.runs, strict=True)
            if kind_of(output) == FOREACH and output.place[:1] == query
        )


class Result(StrEnum):
    """Whether a migrated job does the same."""

    EQUAL = "equal"
    DIFFERENT = "different"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What makes a comparison impossible, and what to do about it."""

    what: str
    advice: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two jobs: where it is, what ran it, and what it took."""

    job: str
    engine: str
    seconds: float = 0.0
    peak_bytes: int = 0
    results: str = ""


@dataclass(slots=True)
class Verdict:
    """The outcome of a verification.

    Parameters
    ----------
    date : str
        When it began, in UTC.
    sources : list of (str, str)
        The files that it is about, the job first, with the SHA-256 of each.
    request : dict
        What else it depends on, as values of JSON.
    """

    job: str
    old: Side
    new: Side
    batches: int = 0
    records: int = 0
    comparison: Comparison | None = None
    failure: str = ""
    obstacle: Obstacle | None = None
    operator: str = ""
    notes: list[str] = field(default_factory=list)
    smallest: Path | None = None
    smallest_size: tuple[int, int] = (0, 0)
    test: Path | None = None
    date: str = ""
    sources: list[tuple[str, str]] = field(default_factory=list)
    request: dict[str, Any] = field(default_factory=dict)

    @property
    def result(self) -> Result:
        """Whether the jobs are the same."""
        if self.obstacle is not None or self.comparison is None:
            return Result.NOT_COMPARABLE
        if self.failure or self.comparison.differences:
            return Result.DIFFERENT
        return Result.EQUAL

    @property
    def exit_code(self) -> int:
        """0 for equal, 1 for different, 2 for not comparable."""
        return {Result.EQUAL: 0, Result.DIFFERENT: 1, Result.NOT_COMPARABLE: 2}[self.result]
