"""Records what a function of a batch gives out: frames shown, records saved, lines and files.

It works in the process of the job, and in the worker in which Spark Connect runs functions of
``foreachBatch``: events are appended to a file.

A call is named by where it stands: by the lines of the job's code through which it was reached.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import sys
import threading
from collections.abc import Iterator
from typing import Any

from .client_calls import CALLS
from .values import encode
from .written_files import WrittenFiles


class Captured:
    """What one output of a job gives out in one batch.

    Parameters
    ----------
    number : int
        of the output, or of the query
    script : str
        the file of the job, by which its lines are known

    Attributes
    ----------
    derives : bool
        whether the function makes other RDDs or frames of the records that it is given
    in_order : bool
        whether it is given its records in an order that is promised
    """

    def __init__(self, number: int, script: str) -> None:
        self.number = number
        self.events: list[dict[str, Any]] = []
        self.derives = False
        self._script = script
        self._collects: set[bool] = set()
        self.in_order = False

    def add(self, kind: str, records: list[Any], **more: Any) -> None:
        """Note records that were given out."""
        event = {"output": self.number, "site": self._site(), "kind": kind, "records": records}
        self.events.append(event | more)

    def collects(self, ordered: bool) -> None:
        """Note that records come to the function, sorted or not."""
        self._collects.add(ordered)

    @property
    def is_sorted(self) -> bool:
        """Whether all records that came to the function were sorted, so that lines are."""
        return self._collects == {True}

    def _site(self) -> list[int]:
        lines = []
        frame = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename == self._script:
                lines.append(frame.f_lineno)
            frame = frame.f_back  # type: ignore[assignment]
        return lines[::-1]


class _Printed(io.StringIO):
    """What is printed while a function of a batch runs, but for what the job's main thread prints.

    Parameters
    ----------
    before : file
        where that goes
    """

    def __init__(self, before: Any) -> None:
        super().__init__()
        self._before = before
        self._own = threading.current_thread()

    def write(self, text: str) -> int:
        main = threading.main_thread()
        if threading.current_thread() is main and self._own is not main:
            return int(self._before.write(text))
        return super().write(text)


_one_at_a_time = threading.RLock()
_current: Captured | None = None
_files = WrittenFiles()


def current() -> Captured | None:
    """Return what the running output of this process adds its events to."""
    return _current


def watch_files() -> None:
    """Notice the files that the job's own code writes from now on."""
    _files.watch()


@contextlib.contextmanager
def not_by_the_job() -> Iterator[None]:
    """Notice no files that the body writes, because it does so for a job to read them."""
    with _files.pause():
        yield


def written_files() -> list[str]:
    """Return the files that were noticed, for the process in which a function runs."""
    return _files.names()


def know_files(names: list[str]) -> None:
    """Notice files that the job has opened in another process."""
    _files.know(names)


def forget_files() -> None:
    """Notice no more files that the job's own code writes."""
    _files.forget()


@contextlib.contextmanager
def capture_output(number: int, script: str) -> Iterator[Captured]:
    """Record what the body gives out; the events are complete when it has ended."""
    global _current
    with _one_at_a_time:  # queries run at the same time, but standard output is one
        output, printed = Captured(number, script), _Printed(sys.stdout)
        _files.watch()
        before, _current = _current, output
        try:
            with contextlib.redirect_stdout(printed), CALLS.of_a_function():
                yield output
        finally:
            _current = before
            for client, rows in CALLS.rows().items():
                output.add("calls", rows, client=client, ordered=output.in_order)
            lines = printed.getvalue().splitlines()
            about = {"sorted": output.is_sorted}
            output.add("lines", [encode(line) for line in lines], **about)
            for name, texts in _files.changes():
                output.add("files", [encode(text) for text in texts], path=name, **about)


def append(events: str, new_events: list[dict[str, Any]]) -> None:
    """Append events to a file, which several threads and processes do at the same time."""
    with open(events, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.writelines(json.dumps(event) + "\n" for event in new_events)
        file.flush()
