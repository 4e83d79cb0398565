"""textFileStream and binaryRecordsStream: new files of a folder."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark import SparkContext

from ...storage.files import Entry, Storage, reason_of, storage_for
from ...wire import errors
from ...wire.errors import SPARK_ERRORS
from ...worker.reading.entries import File, FixedFile, RemoteFile, TextFile
from ...worker.reading.splits import Split
from ..base import InputInfo, Items, Planned, Source
from .listing import PATTERN, recent
from .splits import Splitter
from .taken_over import TakenOver, full_path

_LOG = logging.getLogger("dstream_compat")


class FileSource(Source):
    """Reads each new file once, in the interval of its modification time.

    Parameters
    ----------
    folder : str
        any Hadoop path, or a pattern of folders
    since : int
        milliseconds since the epoch: only files modified later are read
    record_length : int, optional
        bytes per record; None reads lines of text
    remember : int
        milliseconds for which names are remembered (``fileStream.minRememberDuration``)
    """

    shown_as = "File stream"
    _taken = TakenOver({}, 0)  # also of a source that was saved before there was one

    def __init__(self, folder: str, since: int, record_length: int | None, remember: int) -> None:
        name = "textFileStream" if record_length is None else "binaryRecordsStream"
        self.label = f"{name}({folder})"
        self._folder = folder
        self._since = since
        self._length = record_length
        self.texts = record_length is None
        self._remember = remember
        self._seen: dict[str, int] = {}
        self._found: dict[int, list[str]] = {}
        self._trouble = ""

    @property
    def folder(self) -> str:
        """The folder, or the pattern of folders."""
        return self._folder

    def may_find(self, path: str) -> bool:
        """Return whether a local file is in the folder; others, and patterns, are not looked at."""
        folder = full_path(self._folder)
        is_plain = folder.startswith("file:") and not PATTERN.intersection(folder)
        return not is_plain or full_path(path).rpartition("/")[0] == folder

    def take_over(self, files: Mapping[int, Sequence[str]], last: int, since: int) -> None:
        """Go on behind a job of another engine.

        Parameters
        ----------
        files : mapping
            batch time (milliseconds) to the files that the other job had in it, as Hadoop prints
            their paths: they are read in the same batch again, if it is computed again
        last : int
            its last batch: what it has not seen is read later
        since : int
            milliseconds since the epoch: older files it would not have read any more
        """
        self._taken = TakenOver({path: t for t, paths in files.items() for path in paths}, last)
        self._since = since

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, Planned]:
        """Plan the files that are new; an idle interval has no partition."""
        plan: dict[int, list[Items]] = {tick: [] for tick in ticks}
        failed: dict[int, bytes] = {}
        storage: Storage | None = None
        splitter: Splitter | None = None
        for entry in self._new_entries(sc, ticks):
            tick = self._taken.tick(entry, ticks)
            if tick is None:
                continue
            self._seen[entry.path] = max(entry.modified, ticks[0])
            self._found.setdefault(tick, []).append(_shown(entry.path))
            splitter = splitter or Splitter(sc, self._length)
            try:
                storage = storage or storage_for(sc, self._folder)
                files = storage.list(entry.path) if entry.is_folder else [entry]
            except (OSError, *SPARK_ERRORS) as error:
                # as with DStreams, where the batch of a folder that cannot be listed fails
                failed[tick] = errors.dump(errors.capture(error))
                continue
            for file in files:
                # an empty file has no split, so no partition either
                if not file.is_folder and file.size and not file.name.startswith((".", "_")):
                    for split in splitter.split(file.path, file.size, file.block):
                        plan[tick].append((self._item(storage, file, split),))
        horizon = ticks[-1] - 2 * self._remember
        self._seen = {path: at for path, at in self._seen.items() if at >= horizon}
        if horizon > self._taken.last:
            self._taken = TakenOver({}, 0)  # none of them can be found as new any more
        self._found = {tick: paths for tick, paths in self._found.items() if tick >= horizon}
        return {**plan, **failed}

    def _new_entries(self, sc: SparkContext, ticks: Sequence[int]) -> list[Entry]:
        oldest = max(self._since, ticks[0] - self._remember)
        if self._taken.last >= ticks[0]:  # what is read again may be older than any limit
            oldest = 0
        try:
            entries = recent(sc, self._folder, oldest, ticks[-1])
        except (OSError, *SPARK_ERRORS) as error:
            # as with DStreams; what is there will be found in a later interval
            self._warn(error)
            return []
        self._trouble = ""
        new = [
            entry
            for entry in entries
            if entry.path not in self._seen and not entry.name.startswith((".", "_"))
        ]
        limit = max(self._since, ticks[0] - self._remember)
        new = [entry for entry in new if entry.modified > limit or self._taken.has(entry)]
        return sorted(new, key=lambda entry: (entry.modified, entry.path))

    def _warn(self, error: Exception) -> None:
        if isinstance(error, FileNotFoundError):
            trouble = "the folder does not exist (yet)"
        elif isinstance(error, NotADirectoryError):
            trouble = "that is a file, and only a folder can be watched"
        else:
            trouble = f"the folder cannot be listed: {reason_of(error)}"
        if trouble != self._trouble:
            _LOG.warning("%s: %s; looking again", self.label, trouble)
        self._trouble = trouble

    def _item(self, storage: Storage, file: Entry, split: Split) -> File:
        local = storage.local(file.path)
        if local is None:
            return RemoteFile(file.path, self._length, split=split)
        if self._length is None:
            return TextFile(local, split)
        return FixedFile(local, self._length, split)

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """Return the files; of a batch of an earlier process, only those that tasks read."""
        info = super().input_info(tick, parts)
        assert info is not None
        files = (item for items in parts for item in items if isinstance(item, File))
        found = self._found.get(tick) or [*dict.fromkeys(_shown(file.path) for file in files)]
        return info._replace(files=tuple(found))

    def memory(self) -> dict[str, Any]:
        """Return the paths that were read lately, and since when all are."""
        return {"since": self._since, "seen": dict(self._seen), "taken": tuple(self._taken)}

    def restore(self, memory: dict[str, Any]) -> None:
        """Go on behind an earlier process, also with files older than this stream."""
        self._since = min(self._since, memory["since"])
        self._seen = dict(memory["seen"])
        if "taken" in memory:
            self._taken = TakenOver(*memory["taken"])


def _shown(path: str) -> str:
    """Return a path as Hadoop prints it."""
    return f"file:{path}" if path.startswith("/") else path
