"""`migrate undo`: the way back from runs with --in-place."""

from __future__ import annotations

from pathlib import Path

from migrator.discover.paths import check_source
from migrator.model.printable import visible
from migrator.output.in_place import base_of, undo
from migrator.output.journal import runs
from migrator.report.wording import quantity


def undo_run(name: str, *, force: bool) -> int:
    """Undo the last run over a path and say so.

    Parameters
    ----------
    force : bool
        Whether files that were edited since are put back too.

    Raises
    ------
    MigrateError
        If there is no such run, or a file was edited since.
    """
    check_source(name)
    run = undo(Path(name), force=force)
    for file in run.files:
        print(visible(file.path))
    files = quantity(len(run.files), "file is", "files are")
    print(f"{files} as before the run of {visible(run.date)}.")
    return 0


def list_runs(name: str) -> int:
    """Print the runs over a path that can be undone, the latest first."""
    check_source(name)
    base = base_of(Path(name))
    runs_there = runs(base)
    for run in reversed(runs_there):
        remark = ", interrupted" if run.is_pending else ""
        print(visible(f"{run.date}  {quantity(len(run.files), 'file')}{remark}"))
    if not runs_there:
        print(visible(f"No run over {base} can be undone."))
    return 0
