"""Drives a job of Structured Streaming through recorded batches, under a scripted clock."""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import py4j
import pyspark

from . import query_clock
from .batches import BatchesWriter
from .calls import remember
from .captured_frames import is_sorted, watch_frames
from .captured_rdds import watch_rdds
from .errors import RunError
from .intervals import begin_of, interval_of_triggers
from .query_sources import Replaced
from .query_state import QueryStates
from .recordings import Recording
from .results_writer import ResultsWriter
from .stream_driver import named_results
from .stream_outputs import OUTPUTS

# those wait for other things than batches, as for a thread to begin
_OWN: Final = (
    threading.__file__,
    *(str(Path(str(m.__file__)).parent) + os.sep for m in (pyspark, py4j)),
    str(Path(__file__).parent) + os.sep,
)


class QueryDriver:
    """Runs the batches of the one job that this process runs.

    Parameters
    ----------
    recording : Recording
        what the queries read
    writer : ResultsWriter
        where their outputs go
    folder : Path
        for input files and checkpoints
    script : str
        the job's file
    state, streams : bool
        whether the state, and all that is recorded between, are outputs, too
    waits : bool
        whether the batches begin when the job waits
    records : bool
        whether what functions of ``foreachBatch`` are given is an output
    interval : float, optional
        seconds of a batch that its triggers must be multiples of
    begin : int, optional
        when the first batch begins, in milliseconds
    """

    def __init__(
        self,
        recording: Recording,
        writer: ResultsWriter | BatchesWriter,
        folder: Path,
        script: str,
        state: bool,
        streams: bool,
        waits: bool = True,
        records: bool = False,
        interval: float | None = None,
        begin: int | None = None,
    ) -> None:
        from pyspark import RDD
        from pyspark.sql import DataFrame, DataFrameWriter, GroupedData
        from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame
        from pyspark.sql.streaming import readwriter

        self.started = threading.Event()
        self.done = 0
        self._recording = recording
        self._writer = writer
        self._events, self._read = folder / "events", 0
        self._events.touch()
        self._sessions: list[Any] = []
        self._listening: list[Callable[[], None]] = []
        self._time = query_clock.SharedTime()
        self._replaced = Replaced()
        self._replaced.prepare = self._prepare
        self._replaced.records = records or streams
        self._with_state = state
        self._readers: list[QueryStates] = []
        self._states: dict[tuple[int, str], int] = {}
        places = {"folder": str(Path.cwd()), "own": str(folder), "script": script}
        OUTPUTS.open(writer, script)
        self._asked = interval
        default = round((recording.interval or 1.0) * 1000)
        self._given_begin = begin
        self._time.now = begin_of([default]) if begin is None else begin
        self._replaced.begin(places | {"events": str(self._events)}, default, recording=recording)
        self._replaced.readers(readwriter.DataStreamReader)
        self._replaced.writers(readwriter.DataStreamWriter)
        if any(name.startswith("mqtt:") for name in recording.sources):
            with contextlib.suppress(ModuleNotFoundError):
                # a job that needs it says so
                self._replaced.clients(importlib.import_module("paho.mqtt.client"))
        watch_frames(ClassicFrame, DataFrameWriter)
        watch_rdds(RDD)
        remember(readwriter.DataStreamReader, (DataFrame,))
        remember(GroupedData, (DataFrame,))
        remember(ClassicFrame, (DataFrame, GroupedData))
        if waits:
            self._watch_waiting()

    @property
    def total(self) -> int:
        """How many batches there are."""
        return self._recording.length

    def play(self, ended: threading.Event) -> None:
        """Run all batches, or those until the job ends."""
        self._time.settle()
        self._begin()
        # a query with ticks has a batch when it starts, of no interval
        self._new_events()
        for number in range(1, self.total + 1):
            if ended.is_set() or not any(query.isActive for query in self._replaced.started):
                break
            for query_input in self._replaced.inputs:
                query_input.add(
                    number,
                    OUTPUTS.begin + number * OUTPUTS.interval,
                    self._recording.batches.get(number, {}),
                )
            self._time.advance(OUTPUTS.interval)
            self._write(number)
            self._check(number)
            if self._with_state:
                self._write_states(number)
            self.done = number

    def _begin(self) -> None:
        """Let the first batch begin, of a length that is known when all queries are."""
        recorded = self._recording.interval
        interval = interval_of_triggers(self._asked, self._replaced.asked)
        OUTPUTS.interval = interval if recorded is None else round(recorded * 1000)
        OUTPUTS.begin = self._given_begin or begin_of([OUTPUTS.interval])
        self._time.advance(OUTPUTS.begin - self._time.now)
        self._writer.begin(interval=OUTPUTS.interval / 1000, begin=OUTPUTS.begin)

    def add_outputs(self, outputs: Any) -> None:
        """Let streaming frames be outputs that a function has returned."""
        for name, frame in named_results(outputs).items():
            if getattr(frame, "isStreaming", False) is not True:
                raise RunError(f"setup returned {frame!r:.80}, which is not a streaming DataFrame")
            mode = "complete" if is_sorted(frame) else "update"
            self._replaced.result = name
            frame.writeStream.format("memory").outputMode(mode).start()
            self._replaced.result = None

    def stop(self) -> None:
        """Stop all queries."""
        for query in self._replaced.started:
            query.stop()
        while self._listening:
            self._listening.pop()()

    def script_ended(self) -> None:
        """Begin with the batches of a job whose file only starts its queries."""
        if self._replaced.started:
            self.started.set()

    def close(self) -> None:
        """Let nobody wait for the job any more."""
        self.started.set()

    def _check(self, number: int) -> None:
        if self._replaced.problems:
            raise RunError("; ".join(self._replaced.problems))
        for query in self._replaced.started:
            if error := query.exception():
                self._writer.note_failure(number)
                raise RunError(f"a query failed in batch {number}: {error}")

    def _write(self, batch: int) -> None:
        for event in self._new_events():
            number = event["output"]
            OUTPUTS.events(batch, number, self._replaced.names[number], [event])

    def _new_events(self) -> list[dict[str, Any]]:
        """Return what functions have recorded since the last call."""
        lines = self._events.read_text(encoding="utf-8").splitlines()
        new_lines, self._read = lines[self._read :], len(lines)
        return [json.loads(line) for line in new_lines]

    def _write_states(self, batch: int) -> None:
        for query in self._replaced.started[len(self._readers) :]:
            self._readers.append(QueryStates(self._sessions[0], query))
        for number, reader in enumerate(self._readers):
            for name, pairs in reader.read():
                if (number, name) not in self._states:
                    owner = self._replaced.names[number]
                    operator = self._replaced.operators[number]
                    where = number, len(self._states)
                    own = OUTPUTS.declare("state", operator, f"state of {name} in {owner}", where)
                    self._states[number, name] = own
                rows = [OUTPUTS.value(pair) for pair in pairs]
                at = OUTPUTS.begin + batch * OUTPUTS.interval
                OUTPUTS.rows(self._states[number, name], at, rows, False)

    def _prepare(self, session: Any) -> None:
        if session not in self._sessions:
            self._sessions.append(session)
            remove = query_clock.script(session, self._time, self._replaced.problems)
            self._listening.append(remove)

    def _watch_waiting(self) -> None:
        """Let the first batch begin when the job waits: then it has started all its queries."""
        from pyspark.sql.streaming.query import StreamingQuery, StreamingQueryManager

        for owner, name in (
            (StreamingQuery, "awaitTermination"),
            (StreamingQuery, "processAllAvailable"),
            (StreamingQueryManager, "awaitAnyTermination"),
            (time, "sleep"),
            (threading.Event, "wait"),
            (threading.Thread, "join"),
        ):
            self._announce(owner, name)

    def _announce(self, owner: Any, name: str) -> None:
        wait, driver = getattr(owner, name), self

        @functools.wraps(wait)
        def call(*args: Any, **options: Any) -> Any:
            if driver._replaced.started and not sys._getframe(1).f_code.co_filename.startswith(
                _OWN
            ):
                driver.started.set()
            return wait(*args, **options)

        setattr(owner, name, call)
