"""What a job that is killed has logged."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

Log = dict[tuple[str, float], list[Any]]


def read_log(path: Path) -> Log:
    """Return every logged batch, in the order of the log, by (output, batch time).

    A batch that ran more than once must have had the same micro-batch's number each time.
    """
    batches: Log = defaultdict(list)
    numbers: dict[tuple[str, float], int] = {}
    for line in path.read_text().splitlines():
        what, time, records, number = json.loads(line)
        batches[what, time].append(records)
        assert numbers.setdefault((what, time), number) == number, (what, time)
    return batches
