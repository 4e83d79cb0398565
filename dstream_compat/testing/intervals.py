"""How long the batches of a run are, and when the first of them begins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from .errors import RecordingError

BEGIN: Final = 1_729_728_000_000
"""Milliseconds at which the time of a job begins: at 0, whatever is stamped with 0 looks new.

It is a multiple of most intervals and slides, such as 1 to 16 s, a quarter of an hour and a week.
"""

_LONGEST: Final = 1e9


def is_interval(value: Any) -> bool:
    """Return whether a value is some seconds, of which there are milliseconds.

    Parameters
    ----------
    value : object
        what a test or a file gives
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return 0 < value <= _LONGEST and round(value * 1000) > 0


def begin_of(durations: Iterable[int]) -> int:
    """Return the first time from `BEGIN` on that is a multiple of durations, in milliseconds.

    Windows of DStreams end at multiples of their slide since the start, those of queries at
    multiples since 1970: from such a time on, both are the same.

    Parameters
    ----------
    durations : iterable of int
        the batch interval and the slides of a job
    """
    return BEGIN + -BEGIN % math.lcm(*durations)


def check_batches(asked: float | None, interval: float) -> None:
    """Refuse batches whose length is not that of the job.

    Parameters
    ----------
    asked : float, optional
        seconds that each batch shall have; those of the job if it is missing
    interval : float
        seconds that it has in the job

    Raises
    ------
    RecordingError
        if both are not the same
    """
    if asked is not None and round(asked * 1000) != round(interval * 1000):
        raise RecordingError(
            f"interval={asked:g}: the job has batches of {interval:g} s; leave interval out, and "
            "each batch that is given is one of the job"
        )


def interval_of_triggers(asked: float | None, triggers: Sequence[int]) -> int:
    """Return the milliseconds of a batch in which no query has more than one micro-batch.

    Parameters
    ----------
    asked : float, optional
        seconds that each batch shall have; what divides all triggers if it is missing
    triggers : sequence of int
        those of the queries, in milliseconds

    Raises
    ------
    RecordingError
        if a trigger is no multiple of what is asked for
    """
    if asked is None:
        return math.gcd(*triggers) or 1000
    interval = round(asked * 1000)
    for trigger in triggers:
        if trigger % interval:
            raise RecordingError(
                f"interval={asked:g}: the job has a trigger of {trigger / 1000:g} s, which is no "
                "multiple of it; leave interval out, and each batch that is given is as long as "
                "what divides all triggers"
            )
    return interval
