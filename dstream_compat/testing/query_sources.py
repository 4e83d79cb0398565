"""Replaces the sources and sinks of streaming queries: with files, and with functions that record.

A socket becomes a folder of text files with the same column, Kafka one of JSON files with the same
seven. A reader gets a file per interval in which it has records. A folder that a job reads is
replaced by one of our own, in which the recorded files appear. Ticks, which have a row at each
trigger, stay; but a query of nothing else, which takes what its job keeps, has none when it starts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .batch_functions import BatchFunction, Sink
from .calls import name_of_call, place
from .captured_frames import is_sorted
from .errors import RecordingError
from .mqtt_clients import MqttInput, replace_clients
from .query_inputs import TICKS, QueryInput, topics_of
from .recordings import Recording
from .stream_sources import file_source, unknown_source

KAFKA = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, "
    "timestamp TIMESTAMP, timestampType INT"
)
TICK = "timestamp TIMESTAMP, value BIGINT"
SHOWN = ("console", "memory")
FILE_FORMATS = ("text", "csv", "json", "parquet", "orc")


class Replaced:
    """The sources and sinks of the job that runs now."""

    def __init__(self) -> None:
        self.inputs: list[QueryInput | MqttInput] = []
        self.ticks: list[Any] = []
        self.places: dict[str, str] = {}
        self.started: list[Any] = []
        self.asked: list[int] = []
        self.names: list[str] = []
        self.operators: list[str] = []
        self.problems: list[str] = []
        self.triggers: list[int] | None = None
        self.interval = 1000
        self.result: str | None = None
        self.records = False
        self.recording: Recording | None = None
        self.prepare: Callable[[Any], None] = lambda session: None

    def begin(
        self,
        places: dict[str, str],
        interval: int,
        triggers: list[int] | None = None,
        recording: Recording | None = None,
    ) -> None:
        """Begin with a job.

        Parameters
        ----------
        places : dict
            ``folder`` of the run, ``script`` and the file of ``events``
        interval : int
            milliseconds of a batch, for queries that do not say
        triggers : list of int, optional
            the triggers, in milliseconds, that queries may have; any if it is missing
        recording : Recording, optional
            what must have each source; folders are left as they are without it
        """
        self.inputs, self.started, self.problems, self.asked = [], [], [], []
        self.names, self.operators, self.ticks = [], [], []
        self.places, self.interval, self.triggers = places, interval, triggers
        self.recording = recording

    def readers(self, reader: Any) -> None:
        """Replace what a class of readers reads."""
        _note_options(reader, self)
        load, replaced = reader.load, self

        @functools.wraps(load)
        def load_recorded(
            self: Any, path: Any = None, format: Any = None, schema: Any = None, **more: Any
        ) -> Any:
            if format is not None:
                self.format(format)
            if schema is not None:
                self.schema(schema)
            self.options(**more)
            kind, options = noted_options(self)
            if kind in ("socket", "kafka"):
                session = getattr(self, "_spark", None) or self._client
                return replaced.stream(session, kind, options)
            if kind == TICKS:
                replaced.ticks.append(load(self))
                return replaced.ticks[-1]
            if path is None and kind is not None and kind not in FILE_FORMATS:
                replaced.check_known(f"{kind}:")
            return load(self, path if path is None else replaced.folder(path))

        def table(self: Any, tableName: str) -> Any:
            replaced.check_known(f"table:{tableName}")
            return read_table(self, tableName)

        read_table = reader.table
        reader.load, reader.table = load_recorded, table
        for name in FILE_FORMATS:
            self._read_files(reader, name)

    def _read_files(self, reader: Any, name: str) -> None:
        read, replaced = getattr(reader, name), self

        @functools.wraps(read)
        def read_recorded(self: Any, path: str, *args: Any, **options: Any) -> Any:
            return read(self, replaced.folder(path), *args, **options)

        setattr(reader, name, read_recorded)

    def clients(self, library: Any) -> None:
        """Replace what clients of MQTT connect to."""
        replace_clients(library, lambda one: self.inputs.append(one), self.check_known)

    def check_known(self, source: str) -> None:
        """Raise RecordingError if a source is not among those that are recorded."""
        if self.recording is not None and source not in self.recording.sources:
            raise unknown_source(source, self.recording)

    def of_ticks(self, frame: Any) -> Any:
        """Return the frame of a query; if it has ticks only, one that gets a tick in each interval.

        Raises
        ------
        RecordingError
            if queues are recorded: such a query takes those of its job
        """
        if not any(frame is each for each in self.ticks):
            return frame
        for name in () if self.recording is None else self.recording.sources:
            if name.startswith("queue:"):
                raise RecordingError(
                    f"the recorded batches have {name}, and a query takes the queue of the job "
                    "itself. Leave it out of the recording"
                )
        folder = self._add({}, TICKS).folder
        return frame.sparkSession.readStream.schema(TICK).format("json").load(str(folder))

    def folder(self, path: str) -> str:
        """Return the folder to read instead of one of the job's."""
        own = str(self.own_folder())
        if self.recording is None or path.startswith(own):
            return path
        source = file_source(path, self.recording.sources.__contains__)
        self.check_known(source)
        return str(self._add({}, source).folder)

    def own_folder(self) -> Path:
        """Return where input files and checkpoints are."""
        return Path(self.places.get("own") or Path(self.places["folder"], ".harness")).absolute()

    def _add(self, options: dict[str, str], source: str | None = None) -> QueryInput:
        folder = self.own_folder() / f"input-{len(self.inputs)}"
        query_input = QueryInput(folder, options, source)
        self.inputs.append(query_input)
        return query_input

    def stream(self, session: Any, kind: str, options: dict[str, str]) -> Any:
        """Return a streaming frame that stands for a socket or for Kafka."""
        if kind == "socket":
            self.check_known(f"socket:{options.get('port')}")
        else:
            for name in topics_of(options):
                self.check_known(f"kafka:{name}")
        folder = self._add(options).folder
        if kind == "kafka":
            return session.readStream.schema(KAFKA).format("json").load(str(folder))
        lines = session.readStream.format("text").load(str(folder))
        if options.get("includetimestamp", "").lower() == "true":
            from pyspark.sql import functions as F

            lines = lines.withColumn("timestamp", F.current_timestamp())
        return lines

    def writers(self, writer: Any) -> None:
        """Let a class of writers record, in batches of the triggers of the job."""
        _note_options(writer, self)
        trigger, batches, replaced = writer.trigger, writer.foreachBatch, self
        make = writer.__init__

        @functools.wraps(make)
        def __init__(self: Any, *arguments: Any, **named: Any) -> None:
            # Spark Connect, where no query takes what its job keeps, gives no frame
            make(self, *map(replaced.of_ticks, arguments), **named)

        def note_trigger(self: Any, **asked: Any) -> Any:
            vars(self)["_trigger"] = asked
            return self

        def batch_function(self: Any, function: Any) -> Any:
            vars(self)["_function"] = function
            return self

        def start_query(
            self: Any,
            path: Any = None,
            format: Any = None,
            outputMode: Any = None,
            partitionBy: Any = None,
            queryName: Any = None,
            **more: Any,
        ) -> Any:
            if outputMode is not None:
                self.outputMode(outputMode)
            if queryName is not None:
                self.queryName(queryName)
            self.options(**more)
            kind, options = noted_options(self)
            if "checkpointlocation" not in options:
                # the folder that the session names, if it does, is one of the job's
                self.option("checkpointLocation", f"query-{len(replaced.started)}")
            own_function = vars(self).get("_function")
            function = own_function or replaced.sink(
                getattr(self, "_df", None), format or kind, options
            )
            own = place("start" if own_function is None else "foreachBatch")
            replaced.names.append(replaced.result or own)
            replaced.operators.append(name_of_call(getattr(self, "_df", None)))
            asked = replaced.check_trigger(vars(self).get("_trigger"))
            replaced.asked.append(asked)
            trigger(self, processingTime=f"{asked} milliseconds")
            records = replaced.records and own_function is not None
            number = len(replaced.started)
            about = (
                (replaced.names[-1], name_of_call(getattr(self, "_df", None))) if records else None
            )
            batches(self, BatchFunction(function, number, replaced.places, about))
            session = getattr(self, "_spark", None) or self._session
            replaced.prepare(session)
            replaced.started.append(start(self))
            return replaced.started[-1]

        start = writer.start
        writer.__init__ = __init__
        writer.trigger, writer.foreachBatch = note_trigger, batch_function
        writer.partitionBy = lambda self, *columns: self  # a sink that records has no files
        writer.start = start_query
        writer.toTable = lambda self, tableName, *args, **more: start_query(
            self, None, *args, **more
        )

    def sink(
        self, frame: Any, kind: str | None, options: dict[str, str]
    ) -> Callable[[Any, int], None]:
        """Return a function that records what a sink would write."""
        about = {"operator": name_of_call(frame), "ordered": is_sorted(frame)}
        if self.result is not None:
            return Sink("result", None, name=self.result, **about)
        about["name"] = place("start")
        if kind in SHOWN:
            n = int(options.get("numrows", 20)) if kind == "console" else None
            return Sink("shown", n, **about)
        return Sink("saved", None, **about)

    def check_trigger(self, asked: dict[str, Any] | None) -> int:
        """Return the milliseconds of a trigger, which must be one that may be."""
        text = str((asked or {}).get("processingTime", ""))
        match = re.fullmatch(r"(?i)\s*(?:interval\s+)?([\d.]+)\s*([a-z]+?)s?\s*", text)
        units = {"millisecond": 1, "second": 1000, "minute": 60_000, "hour": 3_600_000}
        seconds = float(match[1]) * units.get(match[2].lower(), 0) if match else 0
        if self.triggers is None:
            return int(seconds) or self.interval
        if seconds not in self.triggers:
            self.problems.append(f"the trigger is {asked}, not one of {self.triggers} ms")
            return self.triggers[0]
        return int(seconds)


def noted_options(owner: Any) -> tuple[str | None, dict[str, str]]:
    """Return the format and the options that were given to a reader or a writer."""
    return vars(owner).get("_noted_format"), vars(owner).get("_noted_options", {})


def _note_options(owner: Any, replaced: Replaced) -> None:
    set_format, set_option = owner.format, owner.option

    def format(self: Any, source: str) -> Any:
        vars(self)["_noted_format"] = source.lower()
        # a sink is a function, and a source in no jar is never looked for
        return self

    def format_too(self: Any, source: str) -> Any:
        return set_format(format(self, source), source)

    def option(self: Any, key: str, value: Any) -> Any:
        vars(self).setdefault("_noted_options", {})[key.lower()] = str(value)
        if key.lower() == "checkpointlocation":
            value = str(replaced.own_folder() / str(value).replace("/", "_"))
        return set_option(self, key, value)

    def options(self: Any, **more: Any) -> Any:
        for key, value in more.items():
            self.option(key, value)
        return self

    owner.format = format if hasattr(owner, "foreachBatch") else format_too
    owner.option, owner.options = option, options
