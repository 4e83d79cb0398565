"""The report of a verification on a terminal."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import IO, TYPE_CHECKING

from dstream_compat.testing.values import readable
from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.verify.comparison import ORDER, Difference
from migrator.verify.coverage import is_empty
from migrator.verify.verdict import Result, Side, Verdict

if TYPE_CHECKING:
    from rich.table import Table

ROWS = 20
_STYLES = {Result.EQUAL: "green", Result.DIFFERENT: "red", Result.NOT_COMPARABLE: "yellow"}


def show(verdict: Verdict, stream: IO[str], *, color: bool) -> None:
    """Print a verdict."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, no_color=not color, highlight=False, emoji=False, markup=False)
    if not stream.isatty():
        console.width = max(console.width, 100)
    style = f"bold {_STYLES[verdict.result]}"
    console.print(Text(headline(verdict), style=style), soft_wrap=True)
    for line in facts(verdict):
        console.print(Text(f"  {line}"), soft_wrap=True)
    first = verdict.comparison.first() if verdict.comparison is not None else None
    if first is not None and verdict.obstacle is None:
        console.print(_table(first))
    for line in leftovers(verdict):
        console.print(Text(f"  {line}"), soft_wrap=True)


def headline(verdict: Verdict) -> str:
    """Return the result in one line."""
    job = visible(Path(verdict.job).name)
    if verdict.obstacle is not None:
        return f"{job}: not comparable: {visible_lines(verdict.obstacle.what)}"
    if verdict.failure:
        return f"{job}: different: {visible(verdict.failure)}"
    first = verdict.comparison.first() if verdict.comparison is not None else None
    if first is None:
        empty = verdict.comparison is not None and is_empty(verdict.comparison)
        return f"{job}: equal" + (", but no output gave a row" if empty else "")
    where = f"batch {first.batch}, {visible(first.pair.name)}"
    return f"{job}: different, first in {where}: {first.what}"


def facts(verdict: Verdict) -> list[str]:
    """Return what was found, a line for each fact."""
    if verdict.obstacle is not None:
        return [f"what to do: {visible(verdict.obstacle.advice)}"]
    facts_found = []
    if verdict.operator:
        facts_found.append(f"operator: {visible(verdict.operator)}")
    comparison = verdict.comparison
    if comparison is not None:
        batches = quantity(comparison.batches, "batch", "batches")
        outputs = quantity(len(comparison.pairs), "output")
        facts_found.append(
            f"{comparison.equal_batches()} of {batches} equal; {outputs}; rows: "
            f"{comparison.rows_old} old, {comparison.rows_new} new, {comparison.rows_both} in both "
            f"({comparison.share():.1%})"
        )
    return [*facts_found, _run_line("original", verdict.old), _run_line("migrated", verdict.new)]


def _run_line(name: str, side: Side) -> str:
    took = f" in {side.seconds:.1f} s" if side.seconds else ""
    memory = f", {side.peak_bytes // 2**20} MiB" if side.peak_bytes else ""
    return f"{name}: {visible(side.job)} on {visible(side.engine)}{took}{memory}"


def leftovers(verdict: Verdict) -> list[str]:
    """Return what else is to be said, and which files there are."""
    notes = [f"note: {visible(note)}" for note in verdict.notes]
    if verdict.smallest is not None:
        batches, records = verdict.smallest_size
        size = f"{quantity(batches, 'batch', 'batches')}, {quantity(records, 'record')}"
        notes.append(f"smallest input that differs ({size}): {visible(str(verdict.smallest))}")
    if verdict.test is not None:
        notes.append(f"as a test: {visible(str(verdict.test))}")
    return notes


def side_by_side(difference: Difference) -> list[tuple[str, str]]:
    """Return the rows of a difference, those that are alike beside each other."""
    old, new = ([*map(readable, rows)] for rows in (difference.only_old, difference.only_new))
    if difference.what != ORDER:
        old, new = sorted(old), sorted(new)
    return list(zip_longest(old, new, fillvalue=""))


def _table(difference: Difference) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("only in the old", style="red", overflow="fold")
    table.add_column("only in the new", style="green", overflow="fold")
    rows = side_by_side(difference)
    for old, new in rows[:ROWS]:
        table.add_row(Text(visible(old)), Text(visible(new)))
    rest = len(rows) - ROWS
    caption = [f"and {rest} more"] if rest > 0 else []
    caption.append(f"{quantity(len(difference.both), 'row')} in both")
    table.caption = ", ".join(caption)
    table.caption_justify = "left"
    return table


def visible_lines(text: str) -> str:
    """Return a text whose lines are kept, and whose other control characters are shown."""
    return "\n".join(map(visible, text.splitlines()))
