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

from .client_doubles import Given, as_tuple, stand_for
from .clients import is_preparation
from .values import Value

Call = list[Any]
"""A call: its name, its arguments, those with names, and those of the calls before it."""

# what a function gives to a client in an empty partition
_NOTHING: Final[Value] = ["list", []]
PROPERTY: Final = "dstream_compat.calls"
_VARIABLE: Final = "DSTREAM_COMPAT_CLIENTS"
_PATH: Final = "PYTHONPATH"
# the tokens of calls that belong to no function, and to what reads records for a comparison
_NO_FUNCTION: Final = ""
_READS: Final = ":reads"
# the end of a row: what the calls before it had
_BEFORE: Final = ["object", "of"]


class ClientCalls:
    """The calls of clients that the job of this process makes.

    Attributes
    ----------
    clients : list of str
        the clients whose calls are recorded; none if nothing stands for any
    uncounted : set of str
        those of which a call was answered that belongs to no function of a batch, or was made when
        records were read for the comparison, and not again by the function
    """

    def __init__(self) -> None:
        self.clients: list[str] = []
        self.uncounted: set[str] = set()
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
        with self._under_token(self._token + _READS):
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
        reads: list[Call] = []
        for event in self._more():
            if event["token"] == self._last:
                tasks[tuple(event["task"])].append(event["call"])
            elif self._last is not None and event["token"] == self._last + _READS:
                reads.append(event["call"])
        calls = [*self._own, *(call for key in sorted(tasks) for call in tasks[key])]
        # records that are cached or shuffled are computed once, when they are read for us
        known = {json.dumps(call) for call in calls}
        lost = (call for call in reads if json.dumps(call) not in known and _sends(_row(call)))
        self.uncounted.update(map(_client, lost))
        rows_of = defaultdict(list)
        for call in calls:
            rows_of[_client(call)].append(call)
        return {client: as_rows(own) for client, own in sorted(rows_of.items())}

    def find_uncounted(self) -> list[str]:
        """Return the clients of which calls were answered and not counted, until now."""
        for _ in self._more():
            pass
        return sorted(self.uncounted)

    def _more(self) -> Iterator[dict[str, Any]]:
        """Yield what workers have written since the last time, of functions of batches."""
        if not self.clients:
            return
        with self._file.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            file.seek(self._read)
            lines = file.read().splitlines(keepends=True)
        self._read += sum(map(len, lines))
        for event in map(json.loads, lines):
            if event["token"] == _NO_FUNCTION:
                self.uncounted.add(_client(event["call"]))
            else:
                yield event

    def _note(self, *call: Any) -> None:
        if self._token is not None:
            self._own.append([*call])
        elif _sends(_row([*call])):
            self.uncounted.add(_client([*call]))


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
    rows = [
        _row(call)
        for call in calls
        # the parameters of one statement may be none, and it is sent
        if _NOTHING not in call[1] or call[0].rpartition(".")[2] == "execute"
    ]
    rows = prepare_once(rows)
    return rows if any(map(_sends, rows)) else []


def _row(call: Call) -> Value:
    name, args, options, before = call
    own = as_tuple(args, options)[1]
    return ["tuple", [["str", name], *own, *([[*_BEFORE, before]] if before else [])]]


def _client(call: Call) -> str:
    return str(call[0].partition(".")[0])


def prepare_once(rows: Sequence[Value]) -> list[Value]:
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
    rest = [step for step in rest if step[:2] != _BEFORE]
    return not is_preparation(name, bool(rest))


CALLS = ClientCalls()


def begin_in_worker() -> None:
    """Let something stand for clients in a process of Spark that runs functions of a job."""
    about = json.loads(os.environ.get(_VARIABLE) or "{}")
    if not about:
        return
    file = about["file"]
    uncounted: set[str] = set()

    def note(name: str, args: list[Value], options: list[Any], before: Given) -> None:
        from pyspark import TaskContext

        call = [name, args, options, before]
        task = TaskContext.get()
        token = None if task is None else task.getLocalProperty(PROPERTY)
        if task is None or token is None:
            # once is enough
            if not _sends(_row(call)) or _client(call) in uncounted:
                return
            uncounted.add(_client(call))
            token, place, call = _NO_FUNCTION, [], [name, [], [], []]
        else:
            place = [task.stageId(), task.partitionId(), task.taskAttemptId()]
        line = json.dumps({"token": token, "task": place, "call": call})
        with open(file, "a", encoding="utf-8") as output:
            fcntl.flock(output, fcntl.LOCK_EX)
            output.write(line + "\n")

    stand_for(about["clients"], note)
