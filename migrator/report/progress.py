"""How far a long run is, on a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from migrator.discover.walk import Source
from migrator.report.safe import visible

# shorter work needs no bar
_DELAY_SECONDS = 0.7


def track(files: list[Source], wanted: bool) -> Iterable[Source]:
    """The files one after the other, with a bar on standard error while it takes long.

    Parameters: files, all of them; wanted, False for no bar at all.
    """
    return _with_bar(files) if wanted else files


def _with_bar(files: list[Source]) -> Iterator[Source]:
    begun = time.monotonic()
    for index, file in enumerate(files):
        if time.monotonic() - begun > _DELAY_SECONDS:
            yield from _bar(files, index)
            return
        yield file


def _bar(files: list[Source], done: int) -> Iterator[Source]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.text import Text

    columns = (
        TextColumn("reading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[name]}", markup=False),
    )
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(files), completed=done, name="")
        for file in files[done:]:
            name = Text(visible(file.relative))
            name.truncate(max(console.width - 50, 10), overflow="ellipsis")
            progress.update(task, name=name.plain)
            yield file
            progress.advance(task)
