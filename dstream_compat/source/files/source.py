"""textFileStream and binaryRecordsStream: new files of a folder."""

from __future__ import annotations

import logging
import os
import pwd
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pyspark import SparkConf, SparkContext

from ...storage.files import FolderEntry, Storage, is_local, reason_of, storage_for
from ...storage.spool import Spool
from ...wire import errors
from ...wire.errors import SPARK_ERRORS
from ...worker.reading.entries import File, FixedFile, HadoopFile, TextFile
from ...worker.reading.splits import Split
from ..base import Demand, Input, InputInfo, Items, Planned, Source
from .listing import PATTERN, recent, unusable_folder
from .splits import Splitter
from .taken_over import NOTHING_TAKEN, TakenOver, full_path


@dataclass(frozen=True, eq=False)
class FileSource(Source):
    """Files of a folder that are new.

    Parameters
    ----------
    folder : str
        any Hadoop path, or a pattern of folders
    since : int
        milliseconds since the epoch: only files modified later are read
    length : int, optional
        bytes per record; None reads lines of text
    remember : int
        milliseconds for which names are remembered (``fileStream.minRememberDuration``)
    taken : TakenOver
        what a job of another engine has read
    """

    folder: str
    since: int
    length: int | None
    remember: int
    taken: TakenOver = NOTHING_TAKEN
    shown_as: ClassVar[str] = "File stream"

    @property
    def label(self) -> str:
        name = "textFileStream" if self.length is None else "binaryRecordsStream"
        return f"{name}({self.folder})"

    @property
    def texts(self) -> bool:
        return self.length is None

    def check(self, sc: SparkContext) -> None:
        """Refuse a folder of no file system that there is; nothing is asked of the file system."""
        problem = unusable_folder(sc, self.folder)
        if problem is not None:
            raise ValueError(
                f"{self.label} can never find a file: {problem}. Name a folder of a file system "
                "that is there, whose classes and settings Spark's Hadoop configuration has"
            )

    def read_by_jvm(self, sc: SparkContext) -> bool:
        return not is_local(sc, self.folder)

    def may_find(self, path: str) -> bool:
        """Return whether a local file is in the folder; others, and patterns, are not looked at."""
        folder = full_path(self.folder)
        is_plain = folder.startswith("file:") and not PATTERN.intersection(folder)
        return not is_plain or full_path(path).rpartition("/")[0] == folder

    def behind(self, files: Mapping[int, Sequence[str]], last: int, since: int) -> FileSource:
        """Return a source that goes on behind a job of another engine.

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
        taken = TakenOver({path: t for t, paths in files.items() for path in paths}, last)
        return replace(self, taken=taken, since=since)

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> FileInput:
        return FileInput(self)


_LOG = logging.getLogger("dstream_compat")


class FileInput(Input):
    """Reads each new file once, in the interval of its modification time.

    Parameters
    ----------
    source : FileSource
        what to read
    """

    def __init__(self, source: FileSource) -> None:
        super().__init__(source.label)
        self._folder = source.folder
        self._length = source.length
        self._remember = source.remember
        self._since = source.since
        self._taken = source.taken
        self._seen: dict[str, int] = {}
        self._found: dict[int, list[str]] = {}
        self._trouble = ""

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
            self._found.setdefault(tick, []).append(_hadoop_text(entry.path))
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
            self._taken = NOTHING_TAKEN  # none of them can be found as new any more
        self._found = {tick: paths for tick, paths in self._found.items() if tick >= horizon}
        return {**plan, **failed}

    def _new_entries(self, sc: SparkContext, ticks: Sequence[int]) -> list[FolderEntry]:
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
        elif isinstance(error, PermissionError):  # of a local folder; Hadoop says who it was
            trouble = f"user {_user()} may not list it"
        else:
            trouble = f"the folder cannot be listed: {reason_of(error)}"
        if trouble != self._trouble:
            _LOG.warning("%s: %s; looking again", self.label, trouble)
        self._trouble = trouble

    def _item(self, storage: Storage, file: FolderEntry, split: Split) -> File:
        local = storage.local(file.path)
        if local is None:
            return HadoopFile(file.path, self._length, split)
        if self._length is None:
            return TextFile(local, split)
        return FixedFile(local, self._length, split)

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """Return the files; of a batch of an earlier process, only those that tasks read."""
        info = super().input_info(tick, parts)
        assert info is not None
        files = (item for items in parts for item in items if isinstance(item, File))
        paths = self._found.get(tick) or [*dict.fromkeys(_hadoop_text(file.path) for file in files)]
        return info._replace(files=tuple(paths))

    def memory(self) -> dict[str, Any]:
        """Return the paths that were read lately, and since when all are."""
        return {"since": self._since, "seen": dict(self._seen), "taken": tuple(self._taken)}

    def restore(self, memory: dict[str, Any]) -> None:
        """Go on behind an earlier process, also with files older than this stream."""
        self._since = min(self._since, memory["since"])
        self._seen = dict(memory["seen"])
        if "taken" in memory:
            self._taken = TakenOver(*memory["taken"])


def _hadoop_text(path: str) -> str:
    """Return a path as Hadoop prints it."""
    return f"file:{path}" if path.startswith("/") else path


def _user() -> str:
    """Return who this process is: variables such as LOGNAME may name somebody else."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # in containers, a number may have no name
        return str(os.geteuid())
