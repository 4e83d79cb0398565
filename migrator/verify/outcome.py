"""Reads what runs of jobs gave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dstream_compat.testing.errors import RecordingError
from dstream_compat.testing.results import Results, read_results
from migrator.errors import MigrateError
from migrator.model.printable import visible

_STREAM = "stream"


def read_outcome(path: Path) -> Results:
    """Reads a file of results.

    Raises
    ------
    MigrateError
        If the file has none.
    """
    try:
        return read_results(path)
    except RecordingError as error:
        raise MigrateError(visible(str(error))) from error


def outcome_of(path: Path) -> Results | None:
    """What a run left, as far as it came; None if it did not begin."""
    return read_outcome(path) if path.exists() and path.stat().st_size else None


def outputs_only(outcome: Results) -> Results:
    """Results without intermediate streams."""
    kept = [number for number, one in enumerate(outcome.outputs) if one.kind != _STREAM]
    return replace(
        outcome,
        outputs=[outcome.outputs[number] for number in kept],
        runs=[outcome.runs[number] for number in kept],
    )
