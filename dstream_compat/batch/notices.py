"""The callbacks that hear of the progress of a job's outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


def _nothing() -> None:
    """Nobody wants to know."""


class Notices(NamedTuple):
    """Callbacks for how a job's outputs go.

    Parameters
    ----------
    on_batch : callable
        when a micro-batch begins
    on_progress : callable
        once, when Spark has committed a micro-batch with intervals
    on_outputs : callable
        when all outputs of a micro-batch have run
    """

    on_batch: Callable[[], None] = _nothing
    on_progress: Callable[[], None] = _nothing
    on_outputs: Callable[[], None] = _nothing
