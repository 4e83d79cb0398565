"""Writes results while the job runs: see :mod:`.results` for the lines."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from .results import FORMAT, Output, add_output
from .values import Value, encode


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

    def records_of(self, rows: list[Value]) -> list[Value]:
        """Return records that were encoded as they are written."""
        return rows

    def output(
        self,
        name: str,
        kind: str,
        operator: str,
        place: Sequence[int] | None = None,
        target: str = "",
        **more: Any,
    ) -> int:
        """Add an output; return its number. Without a place it stands after those before it."""
        with self._lock:
            number = add_output(self._outputs, name, kind, operator, place, target, **more)
            if self._begun:
                self._write({"outputs": [asdict(self._outputs[number])]})
            return number

    def begin(self, **more: Any) -> None:
        """Write the first line, unless it is there."""
        with self._lock:
            if not self._begun:
                self._begun = True
                outputs = [asdict(output) for output in self._outputs]
                self._write({"format": FORMAT, **self._header, **more, "outputs": outputs})

    def rows(self, batch: int, output: int, rows: list[Value], **ordered: bool) -> None:
        """Write what an output gave in a batch, ``ordered`` or ``from_sorted``."""
        line: dict[str, Any] = {"batch": batch, "output": output, "rows": rows}
        with self._lock:
            self.begin()
            self._write(line | {name: True for name, holds in ordered.items() if holds})

    def derives(self, output: int) -> None:
        """Write that the function of an output makes others of the records it is given."""
        with self._lock:
            if self._outputs[output].direct:
                self._outputs[output].direct = False
                self.begin()
                self._write({"derives": output})

    def note_failure(self, batch: int) -> None:
        """Write that an output has failed in a batch."""
        with self._lock:
            self.begin()
            self._write({"failed": batch})

    def end(
        self,
        how: str,
        error: str | None,
        seconds: float,
        peak_bytes: int,
        uncounted: Sequence[str] = (),
    ) -> None:
        """Write how the job ended, and of which clients not all calls are known; only the first
        call counts.
        """
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
                    **({"uncounted": [*uncounted]} if uncounted else {}),
                }
            )
            self.ended = how
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        if self.ended is None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
