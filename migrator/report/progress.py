"""The progress bar of a long run."""

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
            self.shown = _start_progress()
        progress, task = self.shown
        room = max(progress.console.width - _TAKEN, 10)
        text = visible(name)
        text = text if len(text) <= room else f"...{text[3 - room :]}"
        progress.update(task, completed=done, total=total, name=text)


def _start_progress() -> tuple[Progress, TaskID]:
    # rich takes longer to load than small trees to read
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    progress = Progress(
        TextColumn("reading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[name]}", markup=False),
        console=console,
        transient=True,
    )
    progress.start()
    return progress, progress.add_task("", total=None, name="")
