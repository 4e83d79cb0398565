"""Results: what each output of a job gave, batch by batch, as JSON lines.

They are written while the job runs. The first line describes the run and the outputs that are known
when it starts; a line with ``outputs`` adds those that show up later; the last line tells the end.
"""

from __future__ import annotations

import json
import threading
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from .errors import RecordingError
from .values import Value, encode

FORMAT: Final = 1


@dataclass
class Output:
    """An output of a job.

    Parameters
    ----------
    name : str
        kind and place, such as ``pprint at job.py:12``
    kind : str
        ``pprint``, ``show``, ``foreachRDD``, ``foreachBatch``, ``files``, ``printed``, ``state``
        or ``stream``
    operator : str
        what comes before it, such as ``reduceByKey at job.py:10``
    ordered : bool
        whether the order of its records is promised
    """

    name: str
    kind: str
    operator: str
    ordered: bool = False


@dataclass
class Results:
    """What a job gave; ``rows`` has encoded values by batch and output."""

    header: dict[str, Any]
    outputs: list[Output] = field(default_factory=list)
    rows: dict[int, dict[int, list[Value]]] = field(default_factory=dict)
    end: str | None = None
    error: str | None = None
    seconds: float | None = None
    peak_bytes: int | None = None


class ResultsWriter:
    """Writes results line by line; each line is on disk before the next batch begins.

    Parameters
    ----------
    path : Path
        the file; it is written over
    header : dict
        ``engine``, ``job`` and ``interval``
    """

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self._lock = threading.RLock()
        self._file: IO[str] = path.open("w", encoding="utf-8")
        self._header = header
        self._outputs: list[Output] = []
        self._begun = False
        self.ended: str | None = None

    def value(self, value: Any) -> Value:
        """Return a record as it is written."""
        return encode(value)

    def encoded(self, rows: list[Value]) -> list[Value]:
        """Return records that were encoded as they are written."""
        return rows

    def output(self, name: str, kind: str, operator: str) -> int:
        """Add an output; return its number."""
        with self._lock:
            names = {one.name for one in self._outputs}
            unique, copies = name, 1
            while unique in names:
                copies += 1
                unique = f"{name} ({copies})"
            self._outputs.append(Output(unique, kind, operator))
            if self._begun:
                self._write({"outputs": [asdict(self._outputs[-1])]})
            return len(self._outputs) - 1

    def begin(self, **more: Any) -> None:
        """Write the first line, unless it is there."""
        with self._lock:
            if not self._begun:
                self._begun = True
                outputs = [asdict(one) for one in self._outputs]
                self._write({"format": FORMAT, **self._header, **more, "outputs": outputs})

    def rows(self, batch: int, output: int, rows: list[Value], ordered: bool = False) -> None:
        """Write what an output gave in a batch."""
        line: dict[str, Any] = {"batch": batch, "output": output, "rows": rows}
        with self._lock:
            self.begin()
            self._write(line | ({"ordered": True} if ordered else {}))

    def end(self, how: str, error: str | None, seconds: float, peak_bytes: int) -> None:
        """Write how the job ended; only the first call counts."""
        with self._lock:
            if self.ended is not None:
                return
            self.begin()
            self._write(
                {
                    "end": how,
                    "error": error,
                    "seconds": round(seconds, 3),
                    "peak_bytes": peak_bytes,
                }
            )
            self.ended = how
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        if self.ended is None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()


def read_results(path: str | Path) -> Results:
    """Read results; those of a job that was killed have no end.

    Parameters
    ----------
    path : str or Path
        the file

    Raises
    ------
    RecordingError
        if it cannot be read; a last line that is cut only gives a warning
    """
    path = Path(path)
    try:
        texts = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror or error}") from None
    if cut := texts.pop():
        warnings.warn(f"{path}: the last line is cut, it is left out: {cut[:60]!r}", stacklevel=2)
    try:
        lines = [json.loads(text) for text in texts]
        if not lines or lines[0].get("format") != FORMAT:
            raise ValueError(f"line 1 should have the format {FORMAT}")
        results = Results({k: v for k, v in lines[0].items() if k != "outputs"})
        for line in lines:
            _add(results, line)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordingError(f"{path} has no results: {error}") from None
    for number, output in enumerate(results.outputs):
        given = [batch[number] for batch in results.rows.values() if number in batch]
        output.ordered = bool(given) and output.ordered
    return results


def _add(results: Results, line: dict[str, Any]) -> None:
    for output in line.get("outputs", ()):
        results.outputs.append(Output(**output))
    if "rows" in line:
        number = line["output"]
        batch = results.rows.setdefault(line["batch"], {})
        batch.setdefault(number, []).extend(line["rows"])
        if line.get("ordered"):
            results.outputs[number].ordered = True
    if "end" in line:
        results.end, results.error = line["end"], line["error"]
        results.seconds, results.peak_bytes = line["seconds"], line["peak_bytes"]
