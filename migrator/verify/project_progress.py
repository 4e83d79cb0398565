"""The progress of the verifications of a project, on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from migrator.model.printable import visible
from migrator.verify.project_verdict import JobResult

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_NAMED = 3


class JobsProgress:
    """Shows how many jobs are verified, and which run: a bar on a terminal, else a line for each.

    Parameters
    ----------
    jobs : int
        How many are to be verified.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._said = 0

    def __enter__(self) -> Self:
        if self._jobs and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeElapsedColumn,
            )

            self._bar = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.description}", markup=False),
                console=Console(stderr=True, markup=False, highlight=False, emoji=False),
                transient=True,
            )
            self._task = self._bar.add_task("", total=self._jobs)
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, running: list[str], results: list[JobResult]) -> None:
        """Show the progress.

        Parameters
        ----------
        running : list of str
            The jobs that run.
        results : list of JobResult
            Of those that have ended, in the order in which they did.
        """
        if self._bar is not None and self._task is not None:
            names = ", ".join(visible(name) for name in running[:_NAMED])
            self._bar.update(self._task, completed=len(results), description=names)
            return
        for number, result in enumerate(results[self._said :], self._said + 1):
            text = f"{number} of {self._jobs}: {visible(result.job)}: {result.state.value}"
            print(f"migrate: {text}", file=sys.stderr, flush=True)
        self._said = len(results)
