"""Drives a job of DStreams through recorded batches, under the manual clock of its engine."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .batch_marks import MARKS, mark
from .batches import BatchesWriter
from .calls import Made, call_of, name_of_call, remember, sources_of
from .captured_frames import watch_frames
from .captured_rdds import watch_rdds
from .connectors import replace_connectors
from .engines import Engine
from .errors import RunError
from .intervals import begin_of, check_batches
from .recordings import Recording
from .results_writer import ResultsWriter
from .sorted_streams import watch_sorting
from .stream_outputs import OUTPUTS, as_output, watch_streams
from .stream_sources import Sources, replace_sources


class StreamDriver:
    """Runs the batches of the one job that this process runs.

    Parameters
    ----------
    engine : Engine
        what runs the streams
    recording : Recording
        what they read
    writer : ResultsWriter or BatchesWriter
        where their outputs go
    folder : Path
        for checkpoints
    script : str
        the job's file
    state, streams : bool
        whether the state, and the intermediate streams, are outputs, too
    interval : float, optional
        seconds that its batches must have
    """

    def __init__(
        self,
        engine: Engine,
        recording: Recording,
        writer: ResultsWriter | BatchesWriter,
        folder: Path,
        script: str,
        state: bool,
        streams: bool,
        interval: float | None = None,
    ) -> None:
        self.started = threading.Event()
        self.stopped = threading.Event()
        self.done = 0
        self._engine = engine
        self._recording = recording
        self._interval = interval
        self._writer = writer
        self._folder = folder
        self._what = state, streams
        self._made: list[tuple[Any, Made]] = []
        self._ssc: Any = None
        OUTPUTS.open(writer, script)
        MARKS.open()
        self._sources = Sources(recording, engine.context.queueStream)
        replace_sources(engine.context, self._sources)
        replace_connectors(engine, self._sources, self._note_stream)
        watch_streams(engine.stream, engine.with_time)
        self._watch_life(engine.context)
        _watch_spark()
        for owner in (engine.context, engine.stream):
            remember(owner, (engine.stream,), self._note_stream)

    @property
    def total(self) -> int:
        """How many batches there are, in the interval of the job."""
        return self._recording.length if self._ssc is None else self._batches_of(self._ssc)

    def _batches_of(self, ssc: Any) -> int:
        return self._recording.length_in(ssc._recorded_interval)

    def play(self, ended: threading.Event) -> None:
        """Run all batches, or those until the job ends."""
        ssc, step = self._ssc, OUTPUTS.interval
        for number in range(1, self.total + 1):
            if self.stopped.is_set() or ended.is_set():
                break
            self._engine.advance(ssc, step)
            at = OUTPUTS.begin + number * step
            if not self._complete(at):
                break
            self._settle(at)
            self._engine.check(ssc)
            self.done = number
        pause = threading.Event()
        while self._stopping and not ended.is_set() and not self.stopped.is_set():
            # it stops by itself, gracefully: that takes the end of the interval
            with contextlib.suppress(Exception):
                self._engine.advance(ssc, step)
            pause.wait(0.05)

    def stop(self) -> None:
        """Stop the streams, but not Spark: the job does that itself, or its process ends."""
        if self._ssc is not None and not self._stopping:
            self._stop(self._ssc, False, False)

    def script_ended(self) -> None:
        """Do nothing: a context that was started runs."""

    def close(self) -> None:
        """Let nobody wait for a batch any more."""
        MARKS.close()
        self.started.set()

    def add_outputs(self, outputs: Any) -> None:
        """Let streams be outputs that a function has returned: one, several, or named ones."""
        for name, stream in named_results(outputs).items():
            if not isinstance(stream, self._engine.stream):
                raise RunError(f"setup returned {stream!r:.80}, which is not a stream")
            as_output(stream, "result", name_of_call(stream), name)

    def _complete(self, at: int) -> bool:
        """Wait until a batch is complete; return False if the job has ended before."""
        while True:
            try:
                return MARKS.wait(at, 0.5)
            except TimeoutError:
                self._engine.check(self._ssc)

    def _settle(self, at: int) -> None:
        folder = self._engine.checkpoint_folder(self._ssc)
        if folder is not None:
            done = Path(folder.removeprefix("file:"), f"checkpoint-{at}")
            pause = threading.Event()
            while not done.exists() and not self.stopped.is_set() and not self._stopping:
                pause.wait(0.01)

    def _note_stream(self, stream: Any, call: Made) -> None:
        read = [
            *self._sources.take_new(),
            *(n for parent in call.parents for n in sources_of(parent)),
        ]
        call.sources = tuple(dict.fromkeys(read))
        self._made.append((stream, call))

    def _watch_life(self, context: Any) -> None:
        start, self._stop = context.start, context.stop
        self._stopping = False
        driver = self

        @functools.wraps(start)
        def start_context(self: Any) -> None:
            if driver._ssc is not None:
                raise RunError(
                    "the job starts a second context, of which the batches are not known"
                )
            driver._before_start(self)
            start(self)
            driver._ssc = self
            driver.started.set()

        @functools.wraps(self._stop)
        def stop_context(self: Any, *args: Any, **options: Any) -> Any:
            driver._stopping = True
            try:
                return driver._stop(self, *args, **options)
            finally:
                driver.stopped.set()
                MARKS.close()

        context.start, context.stop = start_context, stop_context
        self._redirect_checkpoints(context)

    def _redirect_checkpoints(self, context: Any) -> None:
        # those of the job in production are neither read nor written
        checkpoint, get_or_create = context.checkpoint, context.getOrCreate.__func__
        folder = str(self._folder / "checkpoint")

        def own(self: Any, directory: str) -> Any:
            return checkpoint(self, folder)

        def getOrCreate(cls: Any, checkpointPath: str, setupFunc: Callable[[], Any]) -> Any:
            return get_or_create(cls, folder, setupFunc)

        context.checkpoint, context.getOrCreate = own, classmethod(getOrCreate)

    def _before_start(self, ssc: Any) -> None:
        check_batches(self._interval, ssc._recorded_interval)
        OUTPUTS.interval = round(ssc._recorded_interval * 1000)
        slides = [
            round(stream._slideDuration * 1000) for stream, _ in self._made if is_window(stream)
        ]
        OUTPUTS.begin = begin_of([OUTPUTS.interval, *slides])
        OUTPUTS.last = self._batches_of(ssc)
        self._engine.advance(ssc, OUTPUTS.begin)
        made_streams, (state, streams) = list(self._made), self._what
        for stream, call in made_streams:
            before = name_of_call(call.parents[0]) if call.parents else ""
            if state and call.operator in ("updateStateByKey", "mapWithState"):
                states = stream if call.operator == "updateStateByKey" else stream.stateSnapshots()
                name = f"state of {call.name}"
                as_output(states, "state", before, name)
            if streams:
                as_output(stream, "stream", before, call.name)
        if not made_streams:
            raise RunError("the job starts a context without streams")
        self._engine.stream.foreachRDD(made_streams[0][0], mark)
        self._writer.begin(
            interval=ssc._recorded_interval,
            begin=OUTPUTS.begin,
            input=self._recording.input_in(ssc._recorded_interval),
        )


def is_window(stream: Any) -> bool:
    """Return whether a window made a stream, which may have a slide of its own."""
    call = call_of(stream)
    return call is not None and "window" in call.operator.lower()


def _watch_spark() -> None:
    from pyspark import RDD
    from pyspark.sql import DataFrame, DataFrameWriter
    from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame

    from ..batch.driver_rdd import DriverRDD

    for owner in (RDD, DriverRDD):
        watch_rdds(owner)
    watch_sorting(RDD)
    watch_frames(ClassicFrame, DataFrameWriter)
    remember(ClassicFrame, (DataFrame,))


def named_results(returned: Any) -> dict[str, Any]:
    """Return what a function has returned by name: nothing, one thing, several, or named ones."""
    if isinstance(returned, dict):
        return {
            name if isinstance(name, str) else f"result {name}": returned[name] for name in returned
        }
    several = (
        returned if isinstance(returned, list | tuple) else [] if returned is None else [returned]
    )
    return {f"result {number}": result for number, result in enumerate(several, 1)}
