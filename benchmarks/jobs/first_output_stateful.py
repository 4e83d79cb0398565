"""From the start of the process to the first output of a small job with state."""

from __future__ import annotations

from dataclasses import replace

from .first_output import JOB as STATELESS
from .small_stateful import running_count

JOB = replace(
    STATELESS,
    name="first-output-stateful",
    what="updateStateByKey over the words of 10 lines, first batch of a new process",
    dstream=running_count,
    checkpoint=True,
    seconds=80,
)
