"""Replaces the sources and sinks of streaming queries with files, and with functions that record.

A socket becomes a folder of text files with the same column, Kafka one of JSON files with the same
seven. A reader gets a file per interval in which it has records. Folders that a job reads itself
are left as they are: files appear in them.
"""

from __future__ import annotations

import base64
import functools
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.support.structured.capture import BatchFunction, Sink

KAFKA = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, "
    "timestamp TIMESTAMP, timestampType INT"
)
SHOWN = ("console", "memory")


class Input:
    """A source of a job, with the folder that stands for it."""

    def __init__(self, folder: Path, options: dict[str, str]) -> None:
        self.folder = folder
        self._options = options
        folder.mkdir(parents=True)

    def add(self, step: int, at: int, lines: dict[int, list[str]], records: dict[str, Any]) -> None:
        if "port" in self._options:
            texts = lines.get(int(self._options["port"]), [])
        else:
            texts = list(self._messages(at, records))
        if texts:
            draft = self.folder / f".{step}"  # Spark skips it
            draft.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
            draft.rename(self.folder / f"{step:06}")

    def _messages(self, at: int, records: dict[str, Any]) -> Iterator[str]:
        for topic in filter(self._reads, records):
            for value in records[topic]:
                key, text = value if isinstance(value, list) else (None, value)
                message = {
                    "key": key and base64.b64encode(key.encode()).decode(),
                    "value": base64.b64encode(text.encode()).decode(),
                    "topic": topic,
                    "partition": 0,
                    "offset": self._next_offset(topic),
                    "timestamp": datetime.fromtimestamp(at / 1000, UTC).isoformat(),
                    "timestampType": 0,
                }
                yield json.dumps(message)

    def _next_offset(self, topic: str) -> int:
        counts: dict[str, int] = self.__dict__.setdefault("_offsets", {})
        counts[topic] = counts.get(topic, -1) + 1
        return counts[topic]

    def _reads(self, topic: str) -> bool:
        if "subscribe" in self._options:
            return topic in re.split(r"\s*,\s*", self._options["subscribe"].strip())
        if "subscribepattern" in self._options:
            return re.fullmatch(self._options["subscribepattern"], topic) is not None
        return topic in json.loads(self._options["assign"])


class Replaced:
    """The sources and sinks of the job that runs now."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []
        self.places: dict[str, str] = {}
        self.started: list[Any] = []
        self.problems: list[str] = []
        self.triggers = [1000]
        self.prepare: Callable[[Any], None] = lambda session: None

    def begin(self, places: dict[str, str], triggers: list[int]) -> None:
        self.inputs, self.started, self.problems = [], [], []
        self.places, self.triggers = places, triggers

    def readers(self, reader: Any) -> None:
        """Replace what a class of readers reads."""
        _note_options(reader)
        load = reader.load

        @functools.wraps(load)
        def loading(
            self: Any, path: Any = None, format: Any = None, schema: Any = None, **more: Any
        ) -> Any:
            if format is not None:
                self.format(format)
            if schema is not None:
                self.schema(schema)
            self.options(**more)
            kind, options = noted(self)
            if kind not in ("socket", "kafka"):
                return load(self, path)
            session = getattr(self, "_spark", None) or self._client
            return replaced.stream(session, kind, options)

        replaced = self
        reader.load = loading

    def stream(self, session: Any, kind: str, options: dict[str, str]) -> Any:
        number = len(self.inputs)
        folder = Path(self.places["folder"], ".harness", f"input-{number}")
        self.inputs.append(Input(folder, options))
        if kind == "kafka":
            return session.readStream.schema(KAFKA).format("json").load(str(folder))
        lines = session.readStream.format("text").load(str(folder))
        if options.get("includetimestamp", "").lower() == "true":
            from pyspark.sql import functions as F

            lines = lines.withColumn("timestamp", F.current_timestamp())
        return lines

    def writers(self, writer: Any) -> None:
        """Let a class of writers record, in batches of the triggers of the golden."""
        _note_options(writer)
        trigger, batches, replaced = writer.trigger, writer.foreachBatch, self

        def triggering(self: Any, **asked: Any) -> Any:
            vars(self)["_trigger"] = asked
            return self

        def batch_function(self: Any, function: Any) -> Any:
            vars(self)["_function"] = function
            return self

        def starting(
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
            kind, options = noted(self)
            function = vars(self).get("_function") or replaced.sink(format or kind, options)
            asked = replaced.check_trigger(vars(self).get("_trigger"))
            trigger(self, processingTime=f"{asked} milliseconds")
            batches(self, BatchFunction(function, len(replaced.started), replaced.places))
            session = getattr(self, "_spark", None) or self._session
            replaced.prepare(session)
            replaced.started.append(start(self))
            return replaced.started[-1]

        start = writer.start
        writer.trigger, writer.foreachBatch = triggering, batch_function
        writer.partitionBy = lambda self, *columns: self  # a sink that records has no files
        writer.start = starting
        writer.toTable = lambda self, tableName, *args, **more: starting(self, None, *args, **more)

    def sink(self, kind: str | None, options: dict[str, str]) -> Callable[[Any, int], None]:
        if kind in SHOWN:
            return Sink("shown", int(options.get("numrows", 20)) if kind == "console" else None)
        return Sink("saved", None)

    def check_trigger(self, asked: dict[str, Any] | None) -> int:
        """Return the milliseconds of a trigger, which must be one that the golden names."""
        text = str((asked or {}).get("processingTime", ""))
        found = re.fullmatch(r"(?i)\s*(?:interval\s+)?([\d.]+)\s*([a-z]+?)s?\s*", text)
        units = {"millisecond": 1, "second": 1000, "minute": 60_000, "hour": 3_600_000}
        given = float(found[1]) * units.get(found[2].lower(), 0) if found else 0
        if given not in self.triggers:
            self.problems.append(f"the trigger is {asked}, not one of {self.triggers} ms")
            return self.triggers[0]
        return int(given)


def noted(owner: Any) -> tuple[str | None, dict[str, str]]:
    """Return the format and the options that were given to a reader or a writer."""
    return vars(owner).get("_noted_format"), vars(owner).get("_noted_options", {})


def _note_options(owner: Any) -> None:
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
            value = str(Path(".harness", str(value).replace("/", "_")).absolute())
        return set_option(self, key, value)

    def options(self: Any, **more: Any) -> Any:
        for key, value in more.items():
            self.option(key, value)
        return self

    owner.format = format if hasattr(owner, "foreachBatch") else format_too
    owner.option, owner.options = option, options
