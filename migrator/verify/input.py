"""Reads recorded batches for commands."""

from __future__ import annotations

import warnings
from pathlib import Path

from dstream_compat.testing.errors import RecordingError
from dstream_compat.testing.recordings import FILE, Recording, read_batches, read_header
from migrator.errors import MigrateError


def read_recording(path: Path) -> Recording:
    """Read recorded batches; a cut last line is said on standard error.

    Raises
    ------
    MigrateError
        If they cannot be read, or there are none.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            recording = read_batches(path)
    except RecordingError as error:
        raise MigrateError(str(error)) from error
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
    try:
        return read_header(path).arguments or ()
    except RecordingError as error:
        raise MigrateError(str(error)) from error


def records(recording: Recording) -> int:
    """Return how many records a recording has; those of files are lines."""
    return sum(
        sum(map(len, value.values())) if isinstance(value, dict) else len(value)
        for batch in recording.batches.values()
        for value in batch.values()
    )
