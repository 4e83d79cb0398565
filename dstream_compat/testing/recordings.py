"""Recorded batches: what each source of a job gave, interval by interval, as JSON lines.

The first line describes the recording, each further one the input of a batch. Batch *n* is the
interval that ends *n* times ``interval`` seconds after the start. A file that is cut while it is
written is complete up to its last whole line.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .errors import RecordingError
from .intervals import is_interval
from .values import decode, encode

FORMAT: Final = 1
FILE: Final = "batches.jsonl"
KINDS: Final = ("socket", "file", "kafka", "queue", "kinesis", "mqtt")
_WRAPPED: Final = "$value"
_MALFORMED: Final = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError)
"""What decoding something else than an encoded value raises."""


@dataclass
class Recording:
    """The input of a job, batch by batch.

    Parameters
    ----------
    interval : float, optional
        seconds per batch; those of the job that runs if it is missing
    sources : dict
        what the job may read, such as ``{"socket:9999": {}}``
    batches : dict
        number of a batch, from 1, to its input by source
    count : int, optional
        how many batches there are; the last one with input if it is missing
    arguments : tuple of str, optional
        the arguments of the job that was recorded, if they are known
    """

    interval: float | None
    sources: dict[str, dict[str, Any]]
    batches: dict[int, dict[str, Any]] = field(default_factory=dict)
    count: int | None = None
    arguments: tuple[str, ...] | None = None

    @property
    def length(self) -> int:
        """How many batches there are."""
        return max([*self.batches, self.count or 0], default=0)

    def length_in(self, interval: float) -> int:
        """Return how many batches of another interval there are.

        Parameters
        ----------
        interval : float
            in seconds
        """
        return self._count_batches(self.length, interval)

    def of(self, source: str, interval: float | None = None) -> Iterator[tuple[int, Any]]:
        """Yield the number of a batch and what a source gave in it, where it gave something.

        Parameters
        ----------
        source : str
            such as ``socket:9999``
        interval : float, optional
            of the batches to count in; the recording's own if it is missing
        """
        for number, inputs in sorted(self.batches.items()):
            if inputs.get(source):
                yield self._count_batches(number, interval), inputs[source]

    def input_in(self, interval: float) -> dict[str, list[int]]:
        """Return the batches of another interval in which each source gives something.

        Parameters
        ----------
        interval : float
            in seconds
        """
        return {
            source: sorted({number for number, _ in self.of(source, interval)})
            for source in self.sources
        }

    def _count_batches(self, batches: int, interval: float | None) -> int:
        """Return how many batches of another interval are over after some batches."""
        if self.interval is None or interval is None:
            return batches
        return math.ceil(round(batches * self.interval / interval, 6))


def read_batches(path: str | Path) -> Recording:
    """Read recorded batches from a file, or from the file ``batches.jsonl`` of a folder.

    Parameters
    ----------
    path : str or Path
        the file or folder

    Raises
    ------
    RecordingError
        if it cannot be read; a last line that is cut only gives a warning
    """
    path = Path(path)
    if path.is_dir():
        path = path / FILE
    lines = list(_lines(path))
    if not lines:
        raise _empty(path)
    recording = _header(path, lines[0])
    for number, line in enumerate(lines[1:], 2):
        _add(recording, f"{path}, line {number}", line)
    return recording


def read_header(path: str | Path) -> Recording:
    """Read the first line of recorded batches only, which says what they are.

    Parameters
    ----------
    path : str or Path
        the file, or the folder of a file ``batches.jsonl``

    Raises
    ------
    RecordingError
        if it cannot be read
    """
    path = Path(path)
    if path.is_dir():
        path = path / FILE
    try:
        with path.open("rb") as file:
            first = file.readline()
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror or error}") from None
    if not first:
        raise _empty(path)
    return _header(path, _object(path, 1, first))


def write_batches(path: str | Path, recording: Recording) -> None:
    """Write recorded batches to a file.

    Parameters
    ----------
    path : str or Path
        the file; it is written over
    recording : Recording
        what it shall have
    """
    lines: list[dict[str, Any]] = [{"format": FORMAT, "sources": recording.sources}]
    if recording.interval is not None:
        lines[0]["interval"] = recording.interval
    if recording.count is not None:
        lines[0]["batches"] = recording.count
    if recording.arguments is not None:
        lines[0]["arguments"] = [*recording.arguments]
    lines += [
        {"batch": number, "input": {source: dump_value(value) for source, value in inputs.items()}}
        for number, inputs in sorted(recording.batches.items())
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    Path(path).write_text(text, encoding="utf-8")


def dump_value(value: Any) -> Any:
    """Return a value as JSON has it; what JSON lacks is ``{"$value": encoded}``."""
    match value:
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case list():
            return [dump_value(item) for item in value]
        case dict() if all(isinstance(key, str) for key in value) and _WRAPPED not in value:
            return {key: dump_value(item) for key, item in value.items()}
    return {_WRAPPED: encode(value)}


def load_value(value: Any) -> Any:
    """Return the value that :func:`dump_value` was given."""
    if isinstance(value, list):
        return [load_value(item) for item in value]
    if isinstance(value, dict):
        if value.keys() == {_WRAPPED}:
            return decode(value[_WRAPPED])
        return {key: load_value(item) for key, item in value.items()}
    return value


def _empty(path: Path) -> RecordingError:
    return RecordingError(f"{path} is empty: its first line should describe the recording")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        texts = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror or error}") from None
    if cut := texts.pop():
        warnings.warn(f"{path}: the last line is cut, it is left out: {cut[:60]!r}", stacklevel=4)
    for number, text in enumerate(texts, 1):
        yield _object(path, number, text)


def _object(path: Path, number: int, text: bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path}, line {number} is not JSON: {error}") from None
    if not isinstance(line, dict):
        raise RecordingError(f"{path}, line {number} is no JSON object: {text[:60]!r}")
    return line


def _header(path: Path, line: Mapping[str, Any]) -> Recording:
    if line.get("format") != FORMAT:
        raise RecordingError(
            f"{path}, line 1: the format is {line.get('format')!r}, this version reads {FORMAT}"
        )
    interval, sources = line.get("interval"), line.get("sources")
    count = line.get("batches")
    if interval is not None and not is_interval(interval):
        raise RecordingError(f"{path}, line 1: the interval is {interval!r:.60}, not some seconds")
    if count is not None and (type(count) is not int or count < 0):
        raise RecordingError(
            f"{path}, line 1: the number of batches is {count!r:.60}; write it as 5"
        )
    if not isinstance(sources, dict):
        raise RecordingError(f"{path}, line 1: the sources are {sources!r:.60}, not an object")
    for name, about in sources.items():
        if name.partition(":")[0] not in KINDS or not name.partition(":")[2]:
            raise RecordingError(
                f"{path}, line 1: {name!r} is not a source: write KIND:NAME, such as socket:9999, "
                f"with one of the kinds {', '.join(KINDS)}"
            )
        if not isinstance(about, dict):
            raise RecordingError(
                f"{path}, line 1: the source {name} is {about!r:.60}, not an object such as {{}}"
            )
    seconds = None if interval is None else float(interval)
    arguments = line.get("arguments")
    if arguments is None:
        return Recording(seconds, dict(sources), count=count)
    if not isinstance(arguments, list) or not all(
        isinstance(argument, str) for argument in arguments
    ):
        raise RecordingError(
            f"{path}, line 1: the arguments are {arguments!r:.60}, not a list of texts such as "
            '["localhost", "9999"]'
        )
    return Recording(seconds, dict(sources), count=count, arguments=tuple(arguments))


def _add(recording: Recording, where: str, line: Mapping[str, Any]) -> None:
    number, inputs = line.get("batch"), line.get("input")
    if type(number) is not int or number < 1 or number in recording.batches:
        raise RecordingError(f"{where}: the batch is {number!r:.60}, not a new number from 1")
    if not isinstance(inputs, dict):
        raise RecordingError(f"{where}: the input is {inputs!r:.60}, not an object")
    if unknown := inputs.keys() - recording.sources.keys():
        raise RecordingError(f"{where}: line 1 does not name the source {sorted(unknown)[0]!r}")
    for source, value in inputs.items():
        if wrong := _wrong_input(source, value):
            raise RecordingError(f"{where}: {wrong}")
    try:
        recording.batches[number] = {source: load_value(rows) for source, rows in inputs.items()}
    except _MALFORMED as error:
        raise RecordingError(
            f"{where}: a value of {_WRAPPED} cannot be read: {error}; write it as `write_batches` "
            "does"
        ) from None


def _wrong_input(source: str, value: Any) -> str:
    """Say what is wrong with what a source gave in a batch; nothing if that can be read."""
    if source.startswith("file:"):
        if not isinstance(value, dict):
            return f"the input of {source} is {value!r:.60}, not an object of files"
        for name, lines in value.items():
            if not isinstance(lines, list):
                return f"the file {name} of {source} is {lines!r:.60}, not a list of lines"
        return ""
    if not isinstance(value, list):
        return f"the input of {source} is {value!r:.60}, not a list"
    for record in value if source.startswith("kafka:") else ():
        if isinstance(record, list) and len(record) != 2:
            return f"a record of {source} is {record!r:.60}, not a value or [key, value]"
    return ""
