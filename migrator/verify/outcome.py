"""Reads recorded batches, and what runs of jobs gave."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dstream_compat.testing.errors import RecordingError
from dstream_compat.testing.recordings import FILE, Recording, read_batches, read_header
from dstream_compat.testing.results import Results, read_results
from dstream_compat.testing.values import NOT_COMPARABLE, incomparable
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.wording import quantity

_STREAM = "stream"


def read_outcome(path: Path) -> Results:
    """Read a file of results; values in it that cannot be compared are among its warnings.

    Raises
    ------
    MigrateError
        If the file has none.
    """
    with _errors_of_recordings():
        outcome = read_results(path)
    if NOT_COMPARABLE.encode() in path.read_bytes():
        outcome.warnings += _incomparable(outcome)
    return outcome


def _incomparable(outcome: Results) -> list[str]:
    counts = Counter(
        (output.name, name)
        for output, batches in zip(outcome.outputs, outcome.runs, strict=True)
        for runs in batches.values()
        for rows in runs
        for row in rows
        for name in incomparable(row)
    )
    return [
        f"{output} on {outcome.engine} has {quantity(number, 'object')} of {name} without fields "
        "and text that could be compared; each differs from all others: leave out its field with "
        "--ignore, or give out what it has"
        for (output, name), number in counts.items()
    ]


def outcome_of(path: Path) -> Results | None:
    """Return what a run left, as far as it came; None if it did not begin."""
    return read_outcome(path) if path.exists() and path.stat().st_size else None


def outputs_only(outcome: Results) -> Results:
    """Return results without intermediate streams."""
    numbers = [number for number, output in enumerate(outcome.outputs) if output.kind != _STREAM]
    return replace(
        outcome,
        outputs=[outcome.outputs[number] for number in numbers],
        runs=[outcome.runs[number] for number in numbers],
    )


def read_recording(path: Path) -> Recording:
    """Read recorded batches; a cut last line is said on standard error.

    Raises
    ------
    MigrateError
        If they cannot be read, or there are none.
    """
    with warnings.catch_warnings(), _errors_of_recordings():
        warnings.simplefilter("always")
        recording = read_batches(path)
    if not recording.length:
        raise MigrateError(f"{path} has no batches; `migrate record` records some")
    return recording


def recording_file(path: Path) -> Path:
    """Return the file of a recording, which may be named by its folder."""
    return path / FILE if path.is_dir() else path


def recorded_arguments(path: Path) -> tuple[str, ...]:
    """Return the arguments of the job that was recorded; none if they are not known.

    Raises
    ------
    MigrateError
        If the first line of the recording cannot be read.
    """
    with _errors_of_recordings():
        return read_header(path).arguments or ()


def records(recording: Recording) -> int:
    """Return how many records a recording has; those of files are lines."""
    return sum(
        sum(map(len, value.values())) if isinstance(value, dict) else len(value)
        for batch in recording.batches.values()
        for value in batch.values()
    )


@contextmanager
def _errors_of_recordings() -> Iterator[None]:
    try:
        yield
    except RecordingError as error:
        raise MigrateError(visible(str(error))) from error
