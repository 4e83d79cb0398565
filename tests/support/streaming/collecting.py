"""What pipelines gave, collected with one Spark job per batch for most of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

from pyspark import SparkContext

TASKS: Final = 2


@dataclass
class Outcome:
    """What one case gave: batch time (seconds) to partitions, or to an error's text."""

    batches: dict[float, Any] = field(default_factory=dict)


def user_error(text: str) -> str:
    """Return the user's own error line of a traceback, such as ``ValueError: boom``."""
    found = re.findall(r"^(\w+(?:Error|Exception|Exit)\b.*)$", text, re.MULTILINE)
    own = [line for line in found if not line.startswith(("Py4J", "PythonException"))]
    return f"error: {own[0].strip()}" if own else f"unknown error: {text}"


class Collector:
    """Keeps each pipeline's RDD of a batch, and collects all of them at once at its end.

    A job and a task cost more than what the tests compute. Where one pipeline fails, all do: then
    halves are collected, down to those that fail. These run alone from then on.
    """

    def __init__(self, sc: SparkContext) -> None:
        self._sc = sc
        self._outcomes: dict[Hashable, Outcome] = {}
        self._kept: dict[Hashable, Any] = {}
        self._failed: set[Hashable] = set()

    def output(self, name: Hashable, outcome: Outcome) -> Callable[[Any], None]:
        """Return the output of a pipeline."""
        self._outcomes[name] = outcome

        def keep(rdd: Any) -> None:
            self._kept[name] = rdd

        return keep

    def collect(self, time: datetime, _: Any) -> None:
        """Collect what was kept; this output runs after all others."""
        together = [name for name in self._kept if name not in self._failed]
        alone = [[name] for name in self._kept if name in self._failed]
        for names in (together, *alone):
            self._collect(time.timestamp(), names)
        self._kept.clear()

    def _collect(self, time: float, names: Sequence[Hashable]) -> None:
        if not names:
            return
        rdds = [
            self._kept[name].mapPartitionsWithIndex(_numbered(number))
            for number, name in enumerate(names)
        ]
        try:
            found = self._sc.union(rdds).coalesce(TASKS).collect()
        except Exception as error:
            if len(names) == 1:
                self._outcomes[names[0]].batches[time] = user_error(str(error))
                self._failed.add(names[0])
                return
            half = len(names) // 2
            self._collect(time, names[:half])
            self._collect(time, names[half:])
            return
        for name in names:
            self._outcomes[name].batches[time] = []
        for number, _, records in sorted(found, key=itemgetter(0, 1)):
            self._outcomes[names[number]].batches[time].append(records)


def _numbered(number: int) -> Callable[[int, Iterable[Any]], Iterator[tuple[int, int, list[Any]]]]:
    return lambda index, records: iter([(number, index, list(records))])
