"""Where a job goes on that has taken over the state of another engine."""

from __future__ import annotations

from typing import NamedTuple


class Imported(NamedTuple):
    """Where a job goes on that has taken over the checkpoint of a job on Spark's DStreams.

    All in milliseconds since the epoch.

    Parameters
    ----------
    zero : int
        zero time of that job
    since : int
        after it, batches are computed: windows need what was before the state
    until : int
        batch of the state: up to it, outputs do not run and states stay as they are
    """

    zero: int
    since: int
    until: int
