"""Progress bars on standard error, and that of a long run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from migrator.model.printable import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

# shorter work needs no bar
_DELAY_SECONDS = 0.7
# what the bar and the numbers beside it take
_TAKEN = 50


class Bar:
    """A bar on standard error while work takes long; it is gone when the work is done.

    Parameters
    ----------
    wanted : bool
        False for no bar at all.
    """

    def __init__(self, is_shown: bool) -> None:
        self.wanted = is_shown
        self.begun = time.monotonic()
        self.shown: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.shown is not None:
            self.shown[0].stop()

    def __call__(self, name: str, done: int, total: int) -> None:
        """Show the progress.

        Parameters
        ----------
        name : str
            The file that is next.
        done, total : int
            Numbers of files.
        """
        if not self.wanted:
            return
        if self.shown is None:
            if time.monotonic() - self.begun < _DELAY_SECONDS:
                return
            # rich takes longer to load than small trees to read
            bars = start_bars("reading", "{task.description}", timed=False)
            self.shown = bars, bars.add_task("", total=None)
        progress, task = self.shown
        room = max(progress.console.width - _TAKEN, 10)
        text = visible(name)
        text = text if len(text) <= room else f"...{text[3 - room :]}"
        progress.update(task, completed=done, total=total, description=text)


def start_bars(before: str = "", after: str = "", *, timed: bool = True) -> Progress:
    """Return bars on standard error that are gone when they are stopped.

    Parameters
    ----------
    before, after : str
        What stands on both sides of a bar and its numbers, as rich formats it.
    timed : bool
        Whether they say how long the work has taken.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    texts = [[TextColumn(text, markup=False)] if text else [] for text in (before, after)]
    time: list[ProgressColumn] = [TimeElapsedColumn()] if timed else []
    columns = [*texts[0], BarColumn(), MofNCompleteColumn(), *time, *texts[1]]
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    bars = Progress(*columns, console=console, transient=True)
    bars.start()
    return bars
