"""Records batches from live sources into a file that grows line by line."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from dstream_compat.testing.recordings import FILE, FORMAT, dump_value
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.verify.live_sources import LiveSource
from migrator.verify.masks import Masks


class Recorder:
    """Records what sources give, an interval at a time.

    Parameters
    ----------
    out : Path
        The folder that gets the recording.
    masks : Masks
        What is masked before anything is written.
    arguments : tuple of str, optional
        The arguments of the job, which the recording keeps.
    """

    def __init__(
        self,
        sources: Sequence[LiveSource],
        interval: float,
        out: Path,
        masks: Masks,
        arguments: tuple[str, ...] | None = None,
    ) -> None:
        self._sources = sources
        self._interval = interval
        self._masks = masks
        self._arguments = arguments
        self.path = out / FILE
        self.batches = 0
        self.records = 0
        self.left_out = 0
        self._stopped = threading.Event()
        self._problems: dict[str, str] = {}
        self._broken: dict[str, int] = {}
        names = [source.name for source in sources]
        if len(set(names)) < len(names):
            raise MigrateError(f"two sources have the same name: {', '.join(sorted(names))}")

    def stop(self) -> None:
        """Let the recording end; what has arrived is still written."""
        self._stopped.set()

    def record(
        self,
        batches: int | None,
        progress: Callable[[int, int], None],
        wait: Callable[[float], bool] | None = None,
        warn: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Record until it is stopped, or for a number of batches.

        Parameters
        ----------
        batches : int, optional
            How many; None for any number.
        progress : callable
            Told of the batches and records so far.
        wait : callable, optional
            Waits some seconds; True if the recording is to end then.
        warn : callable
            Told when a source begins to give nothing, when it is read again, and what is changed
            or left out.

        Raises
        ------
        MigrateError
            If there is a recording already, a source cannot be opened, or the file not be written.
        """
        self._warn = warn
        wait = wait or self._stopped.wait
        if self.path.exists():
            raise MigrateError(
                f"{visible(str(self.path))} exists; a recording is never written over, name "
                "another folder with --out"
            )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("xb", buffering=0)
        except OSError as error:
            raise MigrateError(
                f"cannot write {visible(str(self.path))}: {error.strerror}; name another folder "
                "with --out"
            ) from error
        with file:
            self._open(file)
            try:
                self._loop(file, batches, progress, wait)
            finally:
                for source in self._sources:
                    source.close()
                # what came while the last interval ran, or when it was asked to stop
                self._rest(file, batches)

    def _open(self, file: BinaryIO) -> None:
        """Open all sources, or none: a file without batches would only be in the way then."""
        opened: list[LiveSource] = []
        header: dict[str, Any] = {"format": FORMAT, "interval": self._interval}
        header["sources"] = {source.name: {} for source in self._sources}
        if self._arguments is not None:
            header["arguments"] = [*self._arguments]
        try:
            self._write(file, header)
            for source in self._sources:
                source.open()
                opened.append(source)
        except BaseException:
            for source in opened:
                source.close()
            self.path.unlink()
            raise

    def _loop(
        self,
        file: BinaryIO,
        batches: int | None,
        progress: Callable[[int, int], None],
        wait: Callable[[float], bool],
    ) -> None:
        begun = time.monotonic()
        while batches is None or self.batches < batches:
            # of the beginning, so that batches do not drift
            due = begun + (self.batches + 1) * self._interval
            if wait(max(due - time.monotonic(), 0.0)):
                break
            self._add(file, self._take_records())
            progress(self.batches, self.records)

    def _rest(self, file: BinaryIO, batches: int | None) -> None:
        left = self._take_records()
        if any(left.values()) and (batches is None or self.batches < batches):
            self._add(file, left)

    def _take_records(self) -> dict[str, Any]:
        """Return what the sources have; whether one cannot be read is said when it changes."""
        taken = {source.name: source.take() for source in self._sources}
        for one in self._sources:
            problem, before = one.problem, self._problems.get(one.name, "")
            if problem and not before:
                self._warn(f"{one.name}: from batch {self.batches + 1} on: {problem}; trying again")
            elif before and not problem:
                self._warn(f"{one.name}: read again in batch {self.batches + 1}")
            self._problems[one.name] = problem
            self._say_losses(one)
        return taken

    def _say_losses(self, source: LiveSource) -> None:
        """Say what is not recorded, and the first line that is not recorded as it is."""
        where = f"{source.name}: batch {self.batches + 1}"
        for text in source.left_out:
            self._warn(f"{where}: {text}; it is left out")
        self.left_out += len(source.left_out)
        source.left_out.clear()
        if source.broken and not self._broken.get(source.name):
            self._warn(
                f"{where}: {quantity(source.broken, 'line')} without valid UTF-8, recorded with "
                "U+FFFD, as a job of text reads such lines; more of them are counted"
            )
        self._broken[source.name] = source.broken

    @property
    def broken_lines(self) -> int:
        """How many lines were not UTF-8."""
        return sum(self._broken.values())

    def _add(self, file: BinaryIO, taken: dict[str, Any]) -> None:
        records = {name: self._mask(value) for name, value in taken.items() if value}
        self._write(file, {"batch": self.batches + 1, "input": dump_value(records)})
        self.batches += 1
        for value in records.values():
            of_files = isinstance(value, dict)
            self.records += sum(map(len, value.values())) if of_files else len(value)

    def _mask(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: [self._masks.of(line) for line in lines] for name, lines in value.items()}
        return [self._masks.of(record) for record in value]

    def _write(self, file: BinaryIO, line: dict[str, Any]) -> None:
        rest = memoryview(json.dumps(line).encode() + b"\n")
        try:
            while rest:
                # a disk that is almost full takes a part
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError as error:
            has = quantity(self.batches, "whole batch", "whole batches")
            raise MigrateError(
                f"cannot write {visible(str(self.path))}: {error.strerror}; it has {has}"
            ) from error
