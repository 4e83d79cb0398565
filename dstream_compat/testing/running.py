"""Runs a job over given batches, and returns what each of its outputs gave in each of them."""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from .batches import Batches, BatchesWriter, from_results
from .capture import forget_files
from .clock import ManualClock
from .errors import RecordingError, RunError
from .intervals import is_interval
from .recordings import Recording, read_batches, write_batches
from .results import RUNS, read_results
from .session import local_session

ENGINES: Final = ("compat", "dstreams", "structured")
Inputs = Recording | str | Path | Mapping[str, Sequence[Any]]


def run_batches(
    setup: Callable[[Any], Any] | str | Path,
    inputs: Inputs,
    *,
    batches: int | None = None,
    interval: float | None = None,
    engine: str = "compat",
    state: bool = False,
    streams: bool = False,
    args: Sequence[object] = (),
    timeout: float = 600.0,
) -> Batches:
    """Run a job over given batches under a manual clock; return what each output gave per batch.

    Parameters
    ----------
    setup : callable or path
        a function of a StreamingContext that defines streams and outputs, or, with the engine
        ``structured``, one of a SparkSession that starts queries; the streams or streaming frames
        that it returns are outputs, too. A path is a job's file: it runs in a process of its own
    inputs : Recording, path or mapping
        recorded batches, or a list of batches for each source: ``{"socket:9999": [["a b"], []]}``
    batches : int, optional
        how many; those up to the last with input if it is missing
    interval : float, optional
        seconds per batch, at least 0.001, which have to be those of the job if its file or its
        triggers say them; for a function of a StreamingContext, by default those of the
        recording, or 1
    engine : str
        ``compat`` (this package), ``dstreams`` (Spark's) or ``structured``
    state : bool
        whether the state after each batch is an output
    streams : bool
        whether each intermediate stream is an output
    args : sequence
        arguments of a job's file
    timeout : float
        seconds for the whole run of a job's file

    Raises
    ------
    RecordingError
        if the inputs cannot be read, or lack a source that the job reads, or if the interval has
        no milliseconds, or a trigger of a function's queries is no multiple of it
    RunError
        if a job's file fails, has another interval or does not end, or Spark has no manual clock;
        what a function raises, in the driver or in a batch, comes through
    """
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r} is not one of {', '.join(ENGINES)}")
    recording = recording_of(inputs, batches, interval)
    if not callable(setup):
        options = [f"--{name}" for name, on in (("state", state), ("streams", streams)) if on]
        options += [] if interval is None else ["--interval", str(interval)]
        return _run_file(Path(setup), recording, engine, options, args, timeout)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if engine == "structured":
            return _run_queries(setup, recording, interval, Path(folder), state, streams)
        return _run_streams(setup, recording, Path(folder), engine, state, streams)


def recording_of(inputs: Inputs, batches: int | None, interval: float | None) -> Recording:
    """Return a recording of what a test gives.

    Parameters
    ----------
    inputs : Recording, path or mapping
        see :func:`run_batches`
    batches : int, optional
        how many
    interval : float, optional
        seconds per batch; by default those of the recording, or of the job

    Raises
    ------
    RecordingError
        if they cannot be read, or have no batch, or the interval has no milliseconds
    """
    if isinstance(inputs, str | Path):
        inputs = read_batches(inputs)
    if isinstance(inputs, Recording):
        own = inputs.interval if interval is None else interval
        recording = Recording(own, inputs.sources, dict(inputs.batches))
        recording.count = inputs.count if batches is None else batches
    else:
        recording = Recording(interval, {name: {} for name in inputs})
        for name, source_batches in inputs.items():
            for number, rows in enumerate(source_batches, 1):
                recording.batches.setdefault(number, {})[name] = rows
        recording.count = batches
    if recording.interval is not None and not is_interval(recording.interval):
        raise RecordingError(
            f"interval={recording.interval!r:.60}: give some seconds, at least 0.001"
        )
    if batches is not None:
        recording.batches = {n: rows for n, rows in recording.batches.items() if n <= batches}
    if recording.length == 0:
        raise RecordingError("there is no batch: give some input, or say how many with batches=")
    return recording


def _run_streams(
    setup: Callable[[Any], Any],
    recording: Recording,
    folder: Path,
    engine: str,
    state: bool,
    streams: bool,
) -> Batches:
    from pyspark import RDD, SparkContext

    from ..batch.driver_rdd import DriverRDD
    from .engines import CompatEngine, SparkEngine, connector_owners
    from .stream_driver import StreamDriver

    sc = local_session().sparkContext
    own: Any = CompatEngine(installed=False) if engine == "compat" else SparkEngine()
    writer = BatchesWriter()
    owners = (own.context, own.stream, RDD, DriverRDD, SparkContext)
    owners = (*owners, *_frames(), *connector_owners(own))
    with restore_after(*owners), _same_checkpoint_folder(sc):
        driver = StreamDriver(own, recording, writer, folder, "", state, streams)
        ssc = own.context(sc, recording.interval or 1.0)
        try:
            driver.add_outputs(setup(ssc))
            if not driver.started.is_set():
                ssc.start()
            ManualClock(ssc)
            driver.play(threading.Event())
        finally:
            driver.stop()
            ssc.stop(False, False)
            forget_files()
        return writer.batches(driver.total)


@contextlib.contextmanager
def _same_checkpoint_folder(sc: Any) -> Iterator[None]:
    """Let RDDs be saved afterwards where they were before: DStreams change that with their own."""
    spark = sc._jsc.sc()
    folder = spark.checkpointDir()
    try:
        yield
    finally:
        getattr(spark, "checkpointDir_$eq")(folder)


def _run_queries(
    setup: Callable[[Any], Any],
    recording: Recording,
    interval: float | None,
    folder: Path,
    state: bool,
    streams: bool,
) -> Batches:
    from pyspark import RDD
    from pyspark.sql import GroupedData
    from pyspark.sql.streaming import readwriter

    from .query_driver import QueryDriver

    writer = BatchesWriter()
    readers = (readwriter.DataStreamReader, readwriter.DataStreamWriter)
    owners = (*_frames(), GroupedData, RDD, *readers)
    if any(name.startswith("mqtt:") for name in recording.sources):
        with contextlib.suppress(ModuleNotFoundError):
            # the driver replaces what jobs import of it
            owners = (*owners, importlib.import_module("paho.mqtt.client"))
    with restore_after(*owners):
        driver = QueryDriver(
            recording, writer, folder, "", state, streams, waits=False, interval=interval
        )
        session = local_session()
        try:
            driver.add_outputs(setup(session))
            driver.play(threading.Event())
        finally:
            driver.stop()
            forget_files()
        return writer.batches(driver.total)


def _frames() -> tuple[Any, ...]:
    from pyspark.sql import DataFrameWriter
    from pyspark.sql.classic.dataframe import DataFrame

    return DataFrame, DataFrameWriter


def _run_file(
    job: Path,
    recording: Recording,
    engine: str,
    options: Sequence[str],
    args: Sequence[object],
    timeout: float,
) -> Batches:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        batches_file, output = Path(name, "batches.jsonl"), Path(name, "results.jsonl")
        write_batches(batches_file, recording)
        command = [
            *(sys.executable, "-m", "dstream_compat.testing.run_job", "--engine", engine),
            *("--input", str(batches_file), "--output", str(output), "--timeout", str(timeout)),
            *(*options, "--batches", str(recording.length), str(job), *map(str, args)),
        ]
        for _ in range(RUNS):
            done = subprocess.run(
                command,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode == 2:
                raise RecordingError(done.stderr.strip())
            results = read_results(output)
            if not results.may_run_again():
                break
        if done.returncode != 0 or results.end not in ("stopped", "exited"):
            last = "\n".join(done.stderr.splitlines()[-20:])
            raise RunError(f"{job} has {results.end or 'ended'}: {results.error or last}")
        return from_results(results, recording.length_in(results.header["interval"]))


def _environment() -> dict[str, str]:
    package = str(Path(__file__).resolve().parents[2])
    paths = [package, os.environ.get("PYTHONPATH")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


@contextlib.contextmanager
def restore_after(*owners: Any) -> Iterator[None]:
    """Let some classes and modules be afterwards what they were before."""
    before = [(owner, dict(vars(owner))) for owner in owners]
    try:
        yield
    finally:
        for owner, members in before:
            for name, value in list(vars(owner).items()):
                if name not in members:
                    delattr(owner, name)
                elif value is not members[name]:
                    setattr(owner, name, members[name])
