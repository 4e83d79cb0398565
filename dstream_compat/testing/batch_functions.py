"""Functions of ``foreachBatch`` that record: those of jobs, and those that stand for sinks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .calls import not_the_jobs
from .capture import append, capture_output, current, know_files, written_files
from .captured_frames import rows_of, watch_frames


class BatchFunction:
    """A function of ``foreachBatch`` whose outputs are recorded, wherever it runs."""

    def __init__(
        self,
        function: Callable[[Any, int], None],
        number: int,
        places: dict[str, str],
        about: tuple[str, str] | None = None,
    ) -> None:
        self._about = about
        self._function = function
        self._number = number
        self._places = places
        self._written = written_files()

    def __call__(self, batch: Any, batch_id: int) -> None:
        # Spark Connect runs this in a process of its own, which starts in another folder
        os.chdir(self._places["folder"])
        know_files(self._written)
        watch_frames(type(batch), type(batch.write))
        events: list[dict[str, Any]] = []
        try:
            with capture_output(self._number, self._places["script"]) as output:
                events = output.events
                if self._about is not None:
                    # computed once, for us and for the function
                    with not_the_jobs():
                        batch.persist()
                    name, operator = self._about
                    output.add("batch", rows_of(batch), name=name, operator=operator)
                try:
                    self._function(batch, batch_id)
                finally:
                    if self._about is not None:
                        events[0]["derives"] = output.derives
        finally:
            append(self._places["events"], events)
            if self._about is not None:
                batch.unpersist()


class Sink:
    """A function of ``foreachBatch`` that stands for a sink."""

    def __init__(self, kind: str, n: int | None, **about: Any) -> None:
        self._kind = kind
        self._more = about if n is None else about | {"n": n}

    def __call__(self, batch: Any, batch_id: int) -> None:
        output = current()
        assert output is not None
        output.add(self._kind, rows_of(batch), **self._more)
