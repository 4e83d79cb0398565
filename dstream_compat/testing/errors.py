"""What the tools for tests raise when they are used wrongly."""

from __future__ import annotations


class RecordingError(ValueError):
    """Recorded batches or results cannot be read, or do not fit the job."""


class RunError(RuntimeError):
    """A job could not be driven through its batches."""
