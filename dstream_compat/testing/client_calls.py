"""Collects the calls of clients: those of a function of a batch, and those of its tasks.

Python workers append what they call to a file. A property of Spark's jobs says for which function
of a batch they run; calls of other jobs do not count, such as those that read records to compare.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from .client_doubles import stand_for
from .clients import is_preparation
from .values import Value

Call = list[Any]
"""A call: its name, its arguments, and those with names."""

# what a function gives to a client in an empty partition
_NOTHING: Final[Value] = ["list", []]
PROPERTY: Final = "dstream_compat.calls"
_VARIABLE: Final = "DSTREAM_COMPAT_CLIENTS"
_PATH: Final = "PYTHONPATH"


class ClientCalls:
    """The calls of clients that the job of this process makes.

    Attributes
    ----------
    clients : list of str
        the clients whose calls are recorded; none if nothing stands for any
    """

    def __init__(self) -> None:
        self.clients: list[str] = []
        self._file = Path()
        self._read = 0
        self._numbers = itertools.count(1)
        self._token: str | None = None
        self._last: str | None = None
        self._own: list[Call] = []

    def begin(self, clients: Sequence[str], file: Path) -> None:
        """Let something stand for clients, in this process and in the workers that it starts.

        Parameters
        ----------
        clients : sequence of str
            their names
        file : Path
            what workers write to
        """
        self.clients, self._file = [*clients], file
        if clients:
            file.touch()
            stand_for(clients, self._note)

    def add_to(self, environment: dict[str, Any]) -> dict[str, Any]:
        """Return the environment of workers in which something stands for clients, too.

        Parameters
        ----------
        environment : dict
            of the SparkContext
        """
        if not self.clients:
            return environment
        start = str(Path(__file__).parent / "client_start")
        paths = filter(None, [start, environment.get(_PATH)])
        about = json.dumps({"clients": self.clients, "file": str(self._file)})
        return {**environment, _PATH: os.pathsep.join(paths), _VARIABLE: about}

    @contextlib.contextmanager
    def of_a_function(self) -> Iterator[None]:
        """Collect the calls that the body makes, here and by Spark's jobs."""
        if not self.clients:
            yield
            return
        self._own = []
        self._token = f"{os.getpid()}-{next(self._numbers)}"
        try:
            with self._under_token(self._token):
                yield
        finally:
            self._last, self._token = self._token, None

    @contextlib.contextmanager
    def not_the_jobs(self) -> Iterator[None]:
        """Do not count the calls of the jobs of Spark that the body starts."""
        if self._token is None:
            yield
            return
        with self._under_token(None):
            yield

    @contextlib.contextmanager
    def _under_token(self, token: str | None) -> Iterator[None]:
        from pyspark import SparkContext

        context = SparkContext._active_spark_context
        before = None if context is None else context.getLocalProperty(PROPERTY)
        if context is not None:
            _set(context, token)
        try:
            yield
        finally:
            if context is not None:
                _set(context, before)

    def rows(self) -> dict[str, list[Value]]:
        """Return the calls of the last function, by client: its own, then those of each task."""
        tasks: dict[tuple[int, int, int], list[Call]] = defaultdict(list)
        if self.clients:
            with self._file.open("rb") as file:
                file.seek(self._read)
                lines = file.read().splitlines(keepends=True)
            for line in lines:
                found = json.loads(line)
                if found["token"] == self._last:
                    tasks[tuple(found["task"])].append(found["call"])
            self._read += sum(map(len, lines))
        calls = [*self._own, *(one for key in sorted(tasks) for one in tasks[key])]
        given = defaultdict(list)
        for call in calls:
            given[call[0].partition(".")[0]].append(call)
        return {client: as_rows(own) for client, own in sorted(given.items())}

    def _note(self, name: str, args: list[Value], options: list[Any]) -> None:
        if self._token is not None:
            self._own.append([name, args, options])


def _set(context: Any, token: str | None) -> None:
    # None removes it; PySpark's types know texts only
    context.setLocalProperty(PROPERTY, token)


def as_rows(calls: Sequence[Call]) -> list[Value]:
    """Return the calls of one client as rows: a tuple of the name and the arguments.

    A call that prepares others counts once in a batch, and only if one is made that sends
    something: each partition has its own, and an empty one may have them or not.

    Parameters
    ----------
    calls : sequence of Call
        in their order
    """
    rows: list[Value] = []
    for name, args, options in calls:
        # the parameters of one statement may be none, and it is sent
        if _NOTHING not in args or name.rpartition(".")[2] == "execute":
            named = [["dict", [[["str", key], value] for key, value in options]]] if options else []
            rows.append(["tuple", [["str", name], *args, *named]])
    rows = once_prepared(rows)
    return rows if any(map(_sends, rows)) else []


def once_prepared(rows: Sequence[Value]) -> list[Value]:
    """Return the rows of calls, those that prepare others first and once.

    Parameters
    ----------
    rows : sequence of encoded values
        see :func:`as_rows`
    """
    preparing = {json.dumps(row): row for row in rows if not _sends(row)}
    return [*preparing.values(), *filter(_sends, rows)]


def _sends(row: Value) -> bool:
    (_, name), *rest = row[1]
    return not is_preparation(name, bool(rest))


CALLS = ClientCalls()


def begin_in_worker() -> None:
    """Let something stand for clients in a process of Spark that runs functions of a job."""
    about = json.loads(os.environ.get(_VARIABLE) or "{}")
    if not about:
        return
    file = about["file"]

    def note(name: str, args: list[Value], options: list[Any]) -> None:
        from pyspark import TaskContext

        task = TaskContext.get()
        token = None if task is None else task.getLocalProperty(PROPERTY)
        if task is None or token is None:
            return
        place = [task.stageId(), task.partitionId(), task.taskAttemptId()]
        line = json.dumps({"token": token, "task": place, "call": [name, args, options]})
        with open(file, "a", encoding="utf-8") as output:
            fcntl.flock(output, fcntl.LOCK_EX)
            output.write(line + "\n")

    stand_for(about["clients"], note)
