"""The report of a project's verifications on a terminal: one table."""

from __future__ import annotations

from typing import IO

from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.verify.project_verdict import ProjectVerdict, State

STYLES = {
    State.DIFFERENT: "red",
    State.NOT_COMPARABLE: "yellow",
    State.STALE: "yellow",
    State.NOT_VERIFIED: "yellow",
    State.EQUAL: "green",
    State.NO_RECORDING: "dim",
}
# jobs without a recording that are named
_NAMED = 20


def show_summary(summary: ProjectVerdict, stream: IO[str], *, color: bool) -> None:
    """Print a table of the jobs that have recordings, then the names of those that have none."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=stream, no_color=not color, highlight=False, emoji=False, markup=False)
    if not stream.isatty():
        console.width = max(console.width, 120)
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("job", overflow="fold")
    table.add_column("result", no_wrap=True)
    table.add_column("batches equal", justify="right", no_wrap=True)
    table.add_column("rows", justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    without = summary.of(State.NO_RECORDING)
    for result in summary.in_order():
        if result.state is not State.NO_RECORDING:
            state = Text(result.state.value, style=STYLES[result.state])
            table.add_row(
                Text(visible(result.job)),
                state,
                result.batches,
                result.rows,
                Text(visible(result.about)),
            )
    if table.row_count:
        console.print(table)
    if without:
        names = [visible(result.job) for result in without[:_NAMED]]
        more = f" and {len(without) - _NAMED} more" if len(without) > _NAMED else ""
        text = f"no recording: {', '.join(names)}{more}"
        console.print(Text(text, style="dim"), soft_wrap=True)
    console.print(Text(headline(summary), style="bold"), soft_wrap=True)


def headline(summary: ProjectVerdict) -> str:
    """Return the counts in one line."""
    counts = summary.counts()
    parts = [f"{counts[state]} {state.value}" for state in State if counts[state]]
    jobs = quantity(len(summary.results), "job")
    return f"{visible(summary.project)}: {jobs}: {', '.join(parts)}"
