"""Finds the rows that only one of two jobs has written, and those that differ under a key; reports
them on a terminal and as JSON.

Decision 0137: `migrate reconcile` counts rows in one shuffle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any, Final

from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.reconcile.sides import BATCH, WrittenData, errors_of_spark
from migrator.report.wording import quantity

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, Observation, SparkSession

SHOWN: Final = 20
_LEFT, _RIGHT, _NUMBER = "__left", "__right", "__number"
SCHEMA_VERSION = 1
_TITLES = {
    "differing": "other values under the same key",
    "only_left": "only on the left",
    "only_right": "only on the right",
}


@dataclass(frozen=True, slots=True)
class Matching:
    """What counts as the same.

    Parameters
    ----------
    keys : tuple of str
        Columns whose values name a row.
    time : str, optional
        A column of times, which gives a row its batch.
    interval : float
        Seconds of such a batch.
    border : float
        By how many seconds the batches of a row may differ.
    tolerance : float
        How far numbers of rows with the same key may differ, relative and absolute.
    ignore : tuple of str
        Columns that do not count.
    whole : bool
        Whether batches count that are before the first or after the last one of the other job.
    """

    keys: tuple[str, ...] = ()
    time: str | None = None
    interval: float = 0.0
    border: float = 0.0
    tolerance: float = 0.0
    ignore: tuple[str, ...] = ()
    whole: bool = False


@dataclass(slots=True)
class Differences:
    """What a comparison found.

    Parameters
    ----------
    both, moved : int
        How many rows both have, and how many of them in another batch.
    only_left, only_right, differing : int
        How many rows only one has, and how many have other values under the same key.
    outside : tuple of int
        How many rows of each job are in batches that the other one has not reached or not seen.
    first_batch : int, optional
        The time of the first batch among the examples, in milliseconds.
    batch : str
        What the examples call the time of a batch; empty if rows have none.
    examples : dict
        By kind of difference, some rows.
    """

    both: int = 0
    moved: int = 0
    only_left: int = 0
    only_right: int = 0
    differing: int = 0
    outside: tuple[int, int] = (0, 0)
    first_batch: int | None = None
    batch: str = ""
    examples: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not (self.only_left or self.only_right or self.differing)


def compare(
    spark: SparkSession,
    left: WrittenData,
    right: WrittenData,
    asked: Matching,
    progress: Callable[[str], None] = lambda step: None,
) -> Differences:
    """Compare what two jobs have written.

    Parameters
    ----------
    progress : callable
        Told of each step.

    Raises
    ------
    MigrateError
        If one cannot be read, or they have other columns.
    """
    progress(f"reading {left.given} and {right.given}")
    # before anything is read: a batch that comes meanwhile is left out on both sides
    batch_times = [] if asked.whole else [left.times(spark), right.times(spark)]
    sides = [left.read(spark), right.read(spark)]
    sides_given = (left, right)
    with errors_of_spark("the rows cannot be compared"):
        sides = [
            _with_batch(frame, asked, side) for frame, side in zip(sides, sides_given, strict=True)
        ]
        sides[1] = _with_same_names(sides, sides_given)
    keys = _columns(sides[0], asked.keys, "--key", left)
    differences = Differences()
    has_batches = BATCH in sides[0].columns
    if has_batches:
        has_own = any(name.lower() == "batch" for name in sides[0].columns)
        differences.batch = BATCH if has_own else "batch"
    with errors_of_spark("the rows cannot be compared"):
        if has_batches and not asked.whole:
            sides, differences.outside = _common(sides, batch_times)
        progress("comparing rows")
        rest, equal = _unmatched_rows(sides)
        rest = rest.persist()
        only = [_repeat_rows(rest, name).persist() for name in (_LEFT, _RIGHT)]
        values = [name for name in sides[0].columns if name not in (BATCH, *keys)]
        if asked.border and has_batches:
            progress("looking for rows in other batches")
            only, differences.moved = _rows_without_moved(only, asked.border)
        if keys:
            progress("comparing rows with the same key")
            group = [*([BATCH] if has_batches else []), *keys]
            only, differing, close = _by_key(only, group, values, asked.tolerance)
            differences.differing = differing.count()
            differences.examples["differing"] = _examples(differing, differences.batch)
        else:
            close = 0
        differences.only_left, differences.only_right = (frame.count() for frame in only)
        for name, frame in zip(("only_left", "only_right"), only, strict=True):
            differences.examples[name] = _examples(frame, differences.batch)
        # what jobs that run have written meanwhile is in no count: both are read once
        differences.both = int(equal.get["both"] or 0) + differences.moved + close
        if has_batches and not differences.is_equal:
            batches = [
                row[differences.batch]
                for rows in differences.examples.values()
                for row in rows[:1]
                if row[differences.batch] is not None
            ]
            differences.first_batch = min(batches, default=None)
    spark.catalog.clearCache()
    return differences


def _with_batch(frame: DataFrame, asked: Matching, side: WrittenData) -> DataFrame:
    from pyspark.sql import functions as F
    from pyspark.sql.types import MapType

    if asked.time is not None:
        (name,) = _columns(frame, [asked.time], "--time", side)
        length = round(asked.interval * 1000)
        at = F.unix_millis(F.col(f"`{name}`").cast("timestamp"))
        frame = frame.withColumn(BATCH, F.floor(at / length) * length).drop(name)
    frame = frame.drop(*_columns(frame, asked.ignore, "--ignore", side))
    for column in frame.schema.fields:
        if isinstance(column.dataType, MapType):
            # maps cannot be grouped
            frame = frame.withColumn(
                column.name, F.array_sort(F.map_entries(F.col(f"`{column.name}`")))
            )
    return frame


def _columns(frame: DataFrame, names: Sequence[str], option: str, side: WrittenData) -> list[str]:
    columns = {name.lower(): name for name in frame.columns}
    for name in names:
        if name.lower() not in columns:
            raise MigrateError(
                f"{option} {visible(name)}: {visible(side.given)} has the columns "
                f"{visible(', '.join(frame.columns))}"
            )
    return [columns[name.lower()] for name in names]


def _with_same_names(sides: Sequence[DataFrame], data: Sequence[WrittenData]) -> DataFrame:
    """Return the second frame with the names and the order of the columns of the first one."""
    from pyspark.sql import functions as F

    own, other = ({name.lower(): name for name in frame.columns} for frame in sides)
    for names, others, side in ((own, other, data[0]), (other, own, data[1])):
        if more := [name for lower, name in names.items() if lower not in others]:
            raise MigrateError(
                f"only {visible(side.given)} has the columns {visible(', '.join(more))}; give the "
                "other one columns of these names, as by a view"
            )
    return sides[1].select(*(F.col(f"`{other[lower]}`").alias(name) for lower, name in own.items()))


def _common(
    sides: list[DataFrame], times: list[list[int]]
) -> tuple[list[DataFrame], tuple[int, int]]:
    """Return the rows of the batches that both jobs have reached, and how many others there are."""
    from pyspark.sql import functions as F

    bounds = []
    for frame, counts in zip(sides, times, strict=True):
        if counts:
            bounds.append((counts[0], counts[-1]))
            continue
        row = frame.agg(F.min(BATCH), F.max(BATCH)).first()
        if row is None or row[0] is None:
            # one that has written nothing: all of the other one counts
            return sides, (0, 0)
        bounds.append((row[0], row[1]))
    first, last = max(low for low, _ in bounds), min(high for _, high in bounds)
    # rows without a time are in no batch that could be left out
    inside = F.col(BATCH).isNull() | F.col(BATCH).between(first, last)
    outside = [frame.where(~inside).count() for frame in sides]
    return [frame.where(inside) for frame in sides], (outside[0], outside[1])


def _unmatched_rows(sides: Sequence[DataFrame]) -> tuple[DataFrame, Observation]:
    """Return the rows that one has more often, with how often each has them beyond the other.

    How many rows both have is observed when these are computed.
    """
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    marked = [
        frame.withColumn(_LEFT, F.lit(1 - at)).withColumn(_RIGHT, F.lit(at))
        for at, frame in enumerate(sides)
    ]
    columns = [F.col(f"`{name}`") for name in sides[0].columns]
    counts = (
        marked[0]
        .unionByName(marked[1])
        .groupBy(*columns)
        .agg(F.sum(_LEFT).alias(_LEFT), F.sum(_RIGHT).alias(_RIGHT))
    )
    both = F.least(_LEFT, _RIGHT)
    equal = Observation()
    more = counts.observe(equal, F.sum(both).alias("both")).where(F.col(_LEFT) != F.col(_RIGHT))
    left, right = (F.col(name) - both for name in (_LEFT, _RIGHT))
    return more.select(*columns, left.alias(_LEFT), right.alias(_RIGHT)), equal


def _repeat_rows(rest: DataFrame, name: str) -> DataFrame:
    """Return the rows of one side, each as often as it is there."""
    from pyspark.sql import functions as F

    times = F.explode(F.sequence(F.lit(1), F.col(name).cast("int")))
    return rest.where(F.col(name) > 0).withColumn(_NUMBER, times).drop(_LEFT, _RIGHT, _NUMBER)


def _number_rows(frame: DataFrame, group: Sequence[str], order: Sequence[str]) -> DataFrame:
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    columns = [F.col(f"`{name}`") for name in group]
    by = [F.col(f"`{name}`") for name in order] or [F.lit(1)]
    window = Window.partitionBy(*columns).orderBy(*by)
    return frame.withColumn(_NUMBER, F.row_number().over(window))


def _join_sides(sides: Sequence[DataFrame], group: Sequence[str]) -> DataFrame:
    """Return pairs of rows with the same values in some columns; rows alone have no partner."""
    from pyspark.sql import functions as F

    left, right = (
        frame.select(F.struct("*").alias(name))
        for frame, name in zip(sides, ("l", "r"), strict=True)
    )
    same = F.col(f"l.{_NUMBER}") == F.col(f"r.{_NUMBER}")
    for name in group:
        same &= F.col(f"l.`{name}`").eqNullSafe(F.col(f"r.`{name}`"))
    return left.join(right, same, "full")


def _alone(pairs: DataFrame, is_pair: Column, columns: Sequence[str]) -> list[DataFrame]:
    """Return the rows of each side that have no partner."""
    from pyspark.sql import functions as F

    return [
        pairs.where(F.col(side).isNotNull() & ~F.coalesce(is_pair, F.lit(False))).select(
            *(F.col(f"{side}.`{name}`").alias(name) for name in columns)
        )
        for side in ("l", "r")
    ]


def _rows_without_moved(only: Sequence[DataFrame], border: float) -> tuple[list[DataFrame], int]:
    """Return the rows that have no equal one in a batch nearby, and how many have one."""
    from pyspark.sql import functions as F

    columns = only[0].columns
    group = [name for name in columns if name != BATCH]
    pairs = _join_sides([_number_rows(frame, group, [BATCH]) for frame in only], group).persist()
    near = F.abs(F.col(f"l.{BATCH}") - F.col(f"r.{BATCH}")) <= round(border * 1000)
    moved = pairs.where(near).count()
    return _alone(pairs, near, columns), moved


def _by_key(
    only: Sequence[DataFrame], group: Sequence[str], values: Sequence[str], tolerance: float
) -> tuple[list[DataFrame], DataFrame, int]:
    """Return rows without a partner of the same key, pairs that differ, and how many do not."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import NumericType

    columns = only[0].columns
    pairs = _join_sides([_number_rows(frame, group, values) for frame in only], group).persist()
    types = {field.name: field.dataType for field in only[0].schema.fields}
    close = F.lit(True)
    for name in values:
        mine, other = F.col(f"l.`{name}`"), F.col(f"r.`{name}`")
        same = mine.eqNullSafe(other)
        if tolerance and isinstance(types[name], NumericType):
            bound = F.greatest(F.lit(1.0), F.abs(mine), F.abs(other)) * tolerance
            same |= F.coalesce(F.abs(mine - other) <= bound, F.lit(False))
        close &= same
    is_pair = F.col("l").isNotNull() & F.col("r").isNotNull()
    differing = pairs.where(is_pair & ~close).select(
        *(F.col(f"l.`{name}`").alias(name) for name in group),
        F.struct(*(F.col(f"l.`{name}`") for name in values)).alias("left"),
        F.struct(*(F.col(f"r.`{name}`") for name in values)).alias("right"),
    )
    return _alone(pairs, is_pair, columns), differing, pairs.where(is_pair & close).count()


def _examples(frame: DataFrame, batch: str) -> list[dict[str, Any]]:
    """Return some rows, those of the first batches first, whose time has a name for users."""
    first = frame.orderBy(BATCH).withColumnRenamed(BATCH, batch) if batch else frame
    return [row.asDict(recursive=True) for row in first.limit(SHOWN).collect()]


def as_json(left: str, right: str, differences: Differences) -> str:
    """Return the report; `schema_version` changes if a field is removed or means something else."""
    values = {
        "schema_version": SCHEMA_VERSION,
        "result": "equal" if differences.is_equal else "different",
        "left": left,
        "right": right,
        "both": differences.both,
        "in_another_batch": differences.moved,
        "only_left": differences.only_left,
        "only_right": differences.only_right,
        "differing": differences.differing,
        "outside": {"left": differences.outside[0], "right": differences.outside[1]},
        "first_batch": differences.first_batch,
        "examples": differences.examples,
    }
    return json.dumps(values, indent=2, default=str) + "\n"


def show(left: str, right: str, differences: Differences, stream: IO[str], *, color: bool) -> None:
    """Print the report."""
    from rich.text import Text

    from migrator.report.text_blocks import console

    out = console(stream, color=color)
    style = "bold green" if differences.is_equal else "bold red"
    names = f"{visible(left)} and {visible(right)}"
    what = "equal" if differences.is_equal else "different"
    if differences.first_batch is not None:
        what += f", first in the batch of {_time(differences.first_batch)}"
    out.print(Text(f"{names}: {what}", style=style), soft_wrap=True)
    for line in _facts(differences):
        out.print(Text(f"  {line}"), soft_wrap=True)
    for kind, title in _TITLES.items():
        rows = differences.examples.get(kind, [])
        total = int(getattr(differences, kind))
        if rows:
            shown = f" ({len(rows)} of {total})" if total > len(rows) else f" ({total})"
            out.print(Text(f"  {title}{shown}:"), soft_wrap=True)
        for row in rows:
            out.print(Text(f"    {visible(_row(row, differences.batch))}"), soft_wrap=True)


def _facts(differences: Differences) -> list[str]:
    facts = [f"{quantity(differences.both, 'row')} in both"]
    if differences.moved:
        facts[0] += f", {differences.moved} of them in another batch"
    numbers = {
        "only on the left": differences.only_left,
        "only on the right": differences.only_right,
        "with other values under the same key": differences.differing,
    }
    facts += [f"{quantity(number, 'row')} {where}" for where, number in numbers.items() if number]
    for number, side in zip(differences.outside, ("left", "right"), strict=True):
        if number:
            facts.append(
                f"note: {quantity(number, 'row')} on the {side} in batches that the other job has "
                "not reached or not seen were left out; --whole compares them"
            )
    if not differences.both and differences.is_equal:
        facts.append("warning: neither has a row")
    return facts


def _row(row: dict[str, Any], batch: str) -> str:
    return ", ".join(
        f"{name}={_time(value) if name == batch and value is not None else _value(value)}"
        for name, value in row.items()
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name}={item!r}" for name, item in value.items()) + ")"
    return repr(value)


def _time(milliseconds: int) -> str:
    at = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return f"{milliseconds} ({at.removesuffix('+00:00')}Z)"
