"""What `migrate verify` has found out about a job, as reports show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Verified:
    """The figures of a job's last verification.

    Parameters
    ----------
    equal : bool
        Whether the migrated job did the same.
    batches, equal_batches : int
        How many batches were compared, and how many were equal.
    rows : int
        How many rows the original gave.
    date : datetime
        When, in UTC.
    changed : bool
        Whether the job, a module of it, or its migrated form has changed since.
    """

    equal: bool
    batches: int
    equal_batches: int
    rows: int
    date: datetime
    changed: bool
