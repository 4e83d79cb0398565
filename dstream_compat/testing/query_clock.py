"""Gives streaming queries a scripted time: one micro-batch per interval, at the interval's end.

Spark has no setting for the clock of a query. A listener is told of a new query in the query's own
thread, before it plans its first batch, and ``start`` returns later than that. There the query's
``triggerClock`` is replaced, by reflection through py4j, with one that this process implements.
Everything that a query knows of the time comes from it: when the next trigger is, the batch's
timestamp in the offset log, and so ``current_timestamp()`` of a streaming frame and the
processing-time timers of ``transformWithState``. A query that waits for its next trigger says so:
its batch is then complete, so nothing here sleeps or polls a result.

That is the job's own ``trigger(processingTime=...)``, as it runs in production: an interval without
input runs a batch only if the query has timers that may fire. Time begins at 0, as under the
``ManualClock`` of DStreams: interval *n* ends at *n* times its length on both sides.

Measured with Spark 4.3, classic and Connect (whose local server runs in this process's JVM, where
its session is found by its id): 31 to 42 calls of the clock per interval of two queries, and timers
fire in the interval whose time they name. A frame that a ``foreachBatch`` function makes has
real time in ``current_timestamp()``, as it is no streaming frame.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from typing import Any

from pyspark import SparkContext
from pyspark.java_gateway import ensure_callback_server_started

DEADLINE = 300.0


class SharedTime:
    """The time that all queries of a job see, in milliseconds."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.now = 0
        self.clocks: list[QueryClock] = []

    def add(self, query: Any) -> QueryClock:
        with self.changed:
            self.clocks.append(QueryClock(self, query))
            return self.clocks[-1]

    def advance(self, milliseconds: int) -> None:
        """Let time pass; return when every query has done what it does then."""
        with self.changed:
            self.now += milliseconds
            self.changed.notify_all()
        self.settle()

    def settle(self) -> None:
        """Wait until every query waits for a time that is still to come, or has ended."""
        deadline = time.monotonic() + DEADLINE
        with self.changed:
            while busy := [clock for clock in self.clocks if not clock.waits()]:
                self.changed.wait(0.2)
                self.clocks = [clock for clock in self.clocks if clock.active()]
                if time.monotonic() > deadline:
                    raise AssertionError(f"{len(busy)} queries do not end their batch {self.now}")


class QueryClock:
    """The clock of one query, which Spark calls."""

    def __init__(self, shared: SharedTime, query: Any) -> None:
        self._time = shared
        self._query = query
        self._until = 0

    def waits(self) -> bool:
        return self._until > self._time.now

    def active(self) -> bool:
        return bool(self._query.isActive())

    def getTimeMillis(self) -> int:
        return self._time.now

    def nanoTime(self) -> int:
        return time.perf_counter_ns()

    def waitTillTime(self, until: int) -> int:
        with self._time.changed:
            self._until = until
            self._time.changed.notify_all()
            # a query that is stopped interrupts a thread that it cannot reach here
            while self._time.now < until:
                if not self._time.changed.wait(0.1) and not self.active():
                    break
            self._until = 0
            return self._time.now

    def toString(self) -> str:
        return f"scripted clock at {self._time.now}"

    class Java:
        implements = ("org.apache.spark.util.Clock",)


def _field(owner: Any, name: str) -> Any:
    """Return a field of a Java object, None if it has none of that name."""
    kind = owner.getClass()
    while kind is not None:
        for field in kind.getDeclaredFields():
            if field.getName() == name:
                field.setAccessible(True)
                return field
        kind = kind.getSuperclass()
    return None


def _replace(owner: Any, name: str, value: Any) -> None:
    _field(owner, name).set(owner, value)


class _Listener:
    """Gives each query of a session its clock."""

    def __init__(self, shared: SharedTime, streams: Any, problems: list[str]) -> None:
        self._time = shared
        self._streams = streams
        self._problems = problems

    def onQueryStarted(self, event: Any) -> None:
        try:
            query = self._streams.get(event.id())
            execution = query.streamingQuery()
            clock = self._time.add(query)
            _replace(execution, "triggerClock", clock)
            # the executor of triggers has taken the first clock already, before Spark 4.1
            executor = _field(execution, "triggerExecutor")
            if executor is not None and executor.get(execution) is not None:
                _replace(executor.get(execution), "clock", clock)
        except Exception as error:  # Spark only logs what a listener raises
            self._problems.append(f"a query has no scripted clock: {error!r}")

    def onQueryProgress(self, event: Any) -> None:
        pass

    def onQueryIdle(self, event: Any) -> None:
        pass

    def onQueryTerminated(self, event: Any) -> None:
        pass

    class Java:
        implements = ("org.apache.spark.sql.streaming.PythonStreamingQueryListener",)


def script(session: Any, shared: SharedTime, problems: list[str]) -> Callable[[], None]:
    """Give the queries that a session will start a scripted clock; return what ends that."""
    jvm: Any = SparkContext._jvm
    ensure_callback_server_started(SparkContext._gateway)  # type: ignore[no-untyped-call]
    streams = _java_session(session).streams()
    wrapper = jvm.org.apache.spark.sql.streaming.PythonStreamingQueryListenerWrapper
    listener = wrapper(_Listener(shared, streams, problems))
    streams.addListener(listener)
    return functools.partial(streams.removeListener, listener)


def _java_session(session: Any) -> Any:
    if hasattr(session, "_jsparkSession"):
        return session._jsparkSession
    jvm: Any = SparkContext._jvm
    _ = session.version  # the server makes its session with the first request
    service = getattr(jvm, "org.apache.spark.sql.connect.service.SparkConnectService$")
    manager = getattr(service, "MODULE$").sessionManager()
    active = manager.listActiveSessions()
    for number in range(active.size()):
        info = active.apply(number)
        if info.sessionId() == session.session_id:
            return manager.getIsolatedSessionIfPresent(info.key()).get().session()
    raise AssertionError(f"the server does not know the session {session.session_id}")
