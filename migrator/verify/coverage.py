"""Says what of two jobs is not compared, so that "equal" promises no more than was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dstream_compat.testing.comparison import Equality
from dstream_compat.testing.results import Output, Results
from migrator.verify.comparison import Comparison
from migrator.verify.functions import gives_out
from migrator.verify.pairing import (
    CALLS,
    FOREACH,
    SENT,
    STATE,
    STREAM,
    Pair,
    gives_rows,
    has_columns,
    is_by_python,
    kind_of,
)
from migrator.verify.verdict import Obstacle

CLIENTS = "clients"
"""In the first line of results: what was recorded of clients."""

_WHY = {
    STATE: "the {} was not compared: the query keeps none, or in another form",
    FOREACH: (
        "the records of {} were not compared: a function may be given others on the other engine; "
        "what it prints, shows, saves, and sends with foreach or foreachPartition is compared"
    ),
    CALLS: "{} were not compared: nothing in the other job stands for them",
    SENT: "what {} sends was not compared: nothing in the other job stands for it",
}
_NO_ROWS = "the {} was not compared: it gave no row in any batch"


def uncompared_outputs(old: Results, new: Results, compared: Sequence[Pair]) -> list[str]:
    """Return what is compared in no pair, as notes of the report.

    Parameters
    ----------
    compared : sequence of Pair
        The outputs that are compared.
    """
    if not has_columns(old, new):
        return []
    numbers = [
        {n for pair in compared for n in pair.old},
        {n for pair in compared for n in pair.new},
    ]
    notes = [_why(old, number, "") for number in _others(old, numbers[0])]
    notes += [
        _why(new, number, " of the migrated job")
        for number in _others(new, numbers[1])
        if not _is_expected(new, number)
    ]
    return notes


def _is_expected(new: Results, number: int) -> bool:
    """Return whether a query has it for other outputs: its state, and functions that print."""
    kind = kind_of(new.outputs[number])
    return kind == STATE or (kind == FOREACH and gives_out(new, number))


def _others(outcome: Results, numbers: set[int]) -> Iterator[int]:
    for number, output in enumerate(outcome.outputs):
        if number not in numbers and output.kind != STREAM:
            yield number


def _why(outcome: Results, number: int, whose: str) -> str:
    output = outcome.outputs[number]
    name = f"{output.name}{whose}"
    if output.kind != STATE and not gives_rows(outcome, number):
        return _NO_ROWS.format(name)
    return _WHY[kind_of(output)].format(name)


def missing_comparison(comparison: Comparison) -> Obstacle | None:
    """Return the obstacle that no batch, or no output, of the jobs could be compared."""
    if comparison.batches == 0:
        return Obstacle(
            "no batch could be compared: the jobs fail in the first one, or end before it",
            "record batches over which the original runs; the notes say how it fails, if it does",
        )
    if any(pair.old and pair.new for pair in comparison.pairs) or comparison.differences:
        return None
    return Obstacle(
        "no output of the jobs could be compared",
        "let both print, show or save what matters in a copy of the jobs, or send it with "
        "foreachPartition, and record batches over which they give rows; the notes say why each "
        "output was left out",
    )


def limits(old: Results, new: Results, comparison: Comparison, order: bool) -> list[str]:
    """Return what "equal" does not say about the outputs that are compared, as notes of the report.

    Parameters
    ----------
    order : bool
        Whether the order of rows counts in every output.
    """
    limits_found = []
    if is_empty(comparison):
        limits_found.append(
            "warning: no output gave a row in any batch, so little was compared; record batches "
            "over which the jobs give something"
        )
    limits_found += [
        f"the time of the batch in {name} was not compared: that of a query is the time at which "
        "it computes the batch"
        for name in comparison.times
    ]
    left_out: dict[str, list[str]] = {}
    for batch, pair in comparison.idle:
        left_out.setdefault(pair.name, []).append(str(batch))
    limits_found += [
        f"{name} has rows of one job only in batch {', '.join(batches)}: nothing came for it, and "
        "a query differs there, as the report of `migrate --target structured` says"
        for name, batches in left_out.items()
    ]
    limits_found += _by_other_means(old, new)
    for pair in comparison.pairs:
        if not pair.old or not pair.new:
            continue
        mine, other = old.outputs[pair.old[0]], new.outputs[pair.new[0]]
        if pair.prints_others():
            limits_found.append(
                f"{mine.name} prints up to {mine.num} records of a batch, {other.name} of the "
                f"migrated job up to {other.num}"
            )
        if not (order or pair.ordered) and is_by_python(mine):
            limits_found += _other_order(old, new, pair, mine, comparison.batches)
    return limits_found


def _by_other_means(old: Results, new: Results) -> Iterator[str]:
    """Yield what is to be said of functions that send something by clients."""
    clients = sorted({str(one) for side in (old, new) for one in side.header.get(CLIENTS, ())})
    names = ", ".join(clients)
    if functions := [output.name for output in old.outputs if kind_of(output) == FOREACH]:
        other = f"another client than {names}" if clients else "a client of a database"
        yield (
            f"what the function of {', '.join(functions)} does by other means, as with {other} or "
            "a library that writes files, is not compared"
        )
    if clients:
        yield (
            f"calls of {names} in functions of batches were compared, and sent nothing: what they "
            "gave was made up; --real lets the jobs use a client themselves"
        )
    if lost := sorted({*old.uncounted, *new.uncounted}):
        yield (
            f"not compared: calls of {', '.join(lost)} that were answered outside of functions of "
            "batches, or once for records that are cached or shuffled; send with foreachPartition "
            "in a function of foreachRDD, so that they are compared"
        )


def is_empty(comparison: Comparison) -> bool:
    """Return whether no output gave a row."""
    return not (comparison.rows_old or comparison.rows_new or comparison.differences)


def _other_order(
    old: Results, new: Results, pair: Pair, output: Output, batches: int
) -> Iterator[str]:
    equality = Equality(1e-9, columns=has_columns(old, new))
    for batch in range(1, batches + 1):
        sides = [
            [row for number in numbers for row in outcome.rows(batch, number)]
            for outcome, numbers in ((old, pair.old), (new, pair.new))
        ]
        if len(sides[0]) == len(sides[1]) and not all(map(equality.same, *sides)):
            yield (
                f"the {output.name} come in another order from batch {batch} on, which does not "
                "count, because no sort is known to promise it; --order lets it count"
            )
            return
