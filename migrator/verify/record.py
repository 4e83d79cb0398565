"""Records batches from live sources into a file that grows line by line."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from dstream_compat.testing.recordings import FILE, FORMAT, dumped
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.verify.live_sources import Source
from migrator.verify.masks import Masks


class Recorder:
    """Records what sources give, an interval at a time.

    Parameters
    ----------
    sources
        The live sources.
    interval
        Seconds of a batch.
    out
        The folder that gets the recording.
    masks
        What is masked before anything is written.
    """

    def __init__(self, sources: Sequence[Source], interval: float, out: Path, masks: Masks) -> None:
        self._sources = sources
        self._interval = interval
        self._masks = masks
        self.path = out / FILE
        self.batches = 0
        self.records = 0
        self._stopped = threading.Event()
        names = [one.name for one in sources]
        if len(set(names)) < len(names):
            raise MigrateError(f"two sources have the same name: {', '.join(sorted(names))}")

    def stop(self) -> None:
        """Lets the recording end; what has arrived is still written."""
        self._stopped.set()

    def record(
        self,
        batches: int | None,
        progress: Callable[[int, int], None],
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        """Records until it is stopped, or for a number of batches.

        Parameters
        ----------
        batches
            How many; None for any number.
        progress
            Told of the batches and records so far.
        wait
            Waits some seconds; True if the recording is to end then.

        Raises
        ------
        MigrateError
            If there is a recording already, or a source cannot be read.
        """
        wait = wait or self._stopped.wait
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("x", encoding="utf-8")
        except FileExistsError as error:
            raise MigrateError(
                f"{visible(str(self.path))} exists; a recording is never written over"
            ) from error
        opened: list[Source] = []
        with file:
            header = {"format": FORMAT, "interval": self._interval}
            self._write(file, header | {"sources": {one.name: {} for one in self._sources}})
            try:
                for one in self._sources:
                    one.open()
                    opened.append(one)
                self._loop(file, batches, progress, wait)
            except MigrateError:
                self.path.unlink()
                raise
            finally:
                for one in opened:
                    one.close()
                if opened:
                    # what came while the last interval ran, or when it was asked to stop
                    self._rest(file, batches)

    def _loop(
        self,
        file: IO[str],
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
            self._add(file, {one.name: one.take() for one in self._sources})
            progress(self.batches, self.records)

    def _rest(self, file: IO[str], batches: int | None) -> None:
        left = {one.name: one.take() for one in self._sources}
        if any(left.values()) and (batches is None or self.batches < batches):
            self._add(file, left)

    def _add(self, file: IO[str], taken: dict[str, Any]) -> None:
        self.batches += 1
        given = {name: self._masked(value) for name, value in taken.items() if value}
        for value in given.values():
            of_files = isinstance(value, dict)
            self.records += sum(map(len, value.values())) if of_files else len(value)
        self._write(file, {"batch": self.batches, "input": dumped(given)})

    def _masked(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: [self._masks.of(line) for line in lines] for name, lines in value.items()}
        return [self._masks.of(record) for record in value]

    @staticmethod
    def _write(file: IO[str], line: dict[str, Any]) -> None:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())
