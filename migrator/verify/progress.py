"""The progress of runs, on standard error."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

from migrator.model.printable import visible
from migrator.report.progress import start_bars
from migrator.verify.process import Work
from migrator.verify.project_reports import JobResult

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_NAMED = 3


class Steps:
    """Shows which step runs, and how many batches each job has done.

    On a terminal that is a bar for each job, which is gone when the work is done; elsewhere a line
    for each step.
    """

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._said = ""
        self._read: dict[Path, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._bars = start_bars("{task.description}")
        return self

    def __exit__(self, *error: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, step: str, work: Work | None, batches: int) -> None:
        """Show the progress.

        Parameters
        ----------
        step : str
            What is done.
        work : Work, optional
            The job that runs, if one does.
        batches : int
            How many batches it has.
        """
        text = visible(step)
        if self._bars is None:
            # how far a search has come is no new step
            if (title := text.partition(" (")[0]) != self._said:
                print(f"migrate: {title}", file=sys.stderr, flush=True)
                self._said = title
            return
        for task_name, task in self._tasks.items():
            if work is None or not task_name.startswith(step.partition(":")[0]):
                self._bars.update(task, visible=False)
        title = step.partition(" (")[0]
        if title not in self._tasks:
            self._tasks[title] = self._bars.add_task(text, total=batches or None)
        done = 0 if work is None else self._batches(work.results)
        self._bars.update(
            self._tasks[title],
            description=text,
            completed=done,
            total=batches or None,
            visible=True,
        )

    def _batches(self, results: Path) -> int:
        """Return the last batch in a file of results that grows; only what is new is read."""
        at, last = self._read.get(results, (0, 0))
        try:
            with results.open("rb") as file:
                file.seek(at)
                data = file.read()
        except OSError:
            return last
        end = data.rfind(b"\n") + 1
        for line in data[:end].splitlines():
            if line.startswith(b'{"batch": '):
                last = max(last, int(line[10:].partition(b",")[0]))
        self._read[results] = at + end, last
        return last


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
            self._bar = start_bars(after="{task.description}")
            self._task = self._bar.add_task("", total=self._jobs)
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
