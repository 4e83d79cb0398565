"""Folders in which files appear that stand for the sources of streaming queries."""

from __future__ import annotations

import base64
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .connectors import pair
from .line_files import file_of_lines

TICKS = "rate-micro-batch"
"""The source that has a row at each trigger."""


class QueryInput:
    """A source of a job, with the folder that stands for it.

    Parameters
    ----------
    folder : Path
        it is made
    options : dict
        of the reader
    source : str, optional
        the recorded folder, or the ticks, that it stands for
    """

    def __init__(self, folder: Path, options: dict[str, str], source: str | None = None) -> None:
        self.folder = folder
        self._options = options
        self._source = source
        self._offsets: dict[str, Iterator[int]] = {}
        folder.mkdir(parents=True)

    def add(self, step: int, at: int, inputs: dict[str, Any]) -> None:
        """Let the input of an interval appear, by source."""
        if self._source == TICKS:
            tick = {"timestamp": datetime.fromtimestamp(at / 1000, UTC).isoformat(), "value": step}
            self._appear(f".{step}", f"{step:06}", [json.dumps(tick)])
        elif self._source is not None:
            for name, lines in inputs.get(self._source, {}).items():
                self._appear(f".{name}", name, lines)
        elif "port" in self._options:
            self._appear(
                f".{step}", f"{step:06}", inputs.get(f"socket:{self._options['port']}", [])
            )
        else:
            records = {
                name.removeprefix("kafka:"): values
                for name, values in inputs.items()
                if name.startswith("kafka:")
            }
            self._appear(f".{step}", f"{step:06}", list(self._messages(at, records)))

    def _appear(self, draft: str, name: str, lines: Sequence[str]) -> None:
        if lines or self._source is not None:
            path = self.folder / draft  # Spark skips it
            path.write_bytes(file_of_lines(name, lines))
            path.rename(self.folder / name)

    def _messages(self, at: int, records: dict[str, Any]) -> Iterator[str]:
        for topic in filter(self._reads, records):
            for value in records[topic]:
                key, message = pair(value)
                line = {
                    "key": _base64(key),
                    "value": _base64(message),
                    "topic": topic,
                    "partition": self._start_position(topic)[0],
                    "offset": self._next_offset(topic),
                    "timestamp": datetime.fromtimestamp(at / 1000, UTC).isoformat(),
                    "timestampType": 0,
                }
                yield json.dumps(line)

    def _next_offset(self, topic: str) -> int:
        if topic not in self._offsets:
            self._offsets[topic] = itertools.count(self._start_position(topic)[1])
        return next(self._offsets[topic])

    def _start_position(self, topic: str) -> tuple[int, int]:
        """Return the partition of the recorded records, and the offset of the first one."""
        text = self._options.get("startingoffsets", "")
        starts = json.loads(text) if text.startswith("{") else {}
        offsets = {int(partition): at for partition, at in starts.get(topic, {}).items()}
        first = min(offsets, default=0)
        # below 0 stand the earliest and the latest one
        return first, max(offsets.get(first, 0), 0)

    def _reads(self, topic: str) -> bool:
        if "subscribepattern" in self._options:
            return re.fullmatch(self._options["subscribepattern"], topic) is not None
        return topic in topics_of(self._options)


def _base64(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def topics_of(options: dict[str, str]) -> list[str]:
    """Return the topics that a reader names one by one."""
    if "subscribe" in options:
        return re.split(r"\s*,\s*", options["subscribe"].strip())
    return list(json.loads(options["assign"])) if "assign" in options else []
