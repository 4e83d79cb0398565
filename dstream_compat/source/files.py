"""textFileStream and binaryRecordsStream: new files of a folder."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Sequence

from pyspark import SparkContext

from ..engine.frames import FIXED, LINES
from ..storage import Entry, Storage, storage_for
from .base import InputInfo, Items, Source
from .reading import Chunk, FixedFile, TextFile, check_codec, line_blocks, without_mark

_LOG = logging.getLogger("dstream_compat")


class FileSource(Source):
    """Reads each new file once, in the interval of its modification time.

    Parameters
    ----------
    folder : str
        any Hadoop path
    since : int
        milliseconds since the epoch: only files modified later are read
    record_length : int, optional
        bytes per record; None reads lines of text
    remember : int
        milliseconds for which names are remembered (``fileStream.minRememberDuration``)
    """

    def __init__(self, folder: str, since: int, record_length: int | None, remember: int) -> None:
        name = "textFileStream" if record_length is None else "binaryRecordsStream"
        self.label = f"{name}({folder})"
        self._folder = folder
        self._since = since
        self._length = record_length
        self._remember = remember
        self._seen: dict[str, int] = {}
        self._found: dict[int, list[str]] = {}
        self._missing = False

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, list[Items]]:
        """See the base class; an idle interval has no partition."""
        plan: dict[int, list[Items]] = {tick: [] for tick in ticks}
        storage = storage_for(sc, self._folder)
        for entry in self._new_entries(storage, ticks):
            tick = next(t for t in ticks if entry.modified <= t)
            self._seen[entry.name] = max(entry.modified, ticks[0])
            self._found.setdefault(tick, []).append(_shown(entry.path))
            files = storage.list(entry.path) if entry.is_folder else [entry]
            for file in files:
                # an empty file has no split, so no partition either
                if not file.is_folder and file.size and not file.name.startswith((".", "_")):
                    plan[tick].append(self._items(storage, file))
        horizon = ticks[-1] - 2 * self._remember
        self._seen = {name: at for name, at in self._seen.items() if at >= horizon}
        self._found = {tick: paths for tick, paths in self._found.items() if tick >= horizon}
        return plan

    def _new_entries(self, storage: Storage, ticks: Sequence[int]) -> list[Entry]:
        try:
            entries = storage.list(self._folder)
        except FileNotFoundError:
            if not self._missing:
                _LOG.warning("%s: the folder does not exist (yet); looking again", self.label)
            self._missing = True
            return []
        self._missing = False
        oldest = max(self._since, ticks[0] - self._remember)
        new = [
            entry
            for entry in entries
            if oldest < entry.modified <= ticks[-1]
            and entry.name not in self._seen
            and not entry.name.startswith((".", "_"))
        ]
        return sorted(new, key=lambda entry: (entry.modified, entry.name))

    def _items(self, storage: Storage, file: Entry) -> Items:
        local = storage.local(file.path)
        if local is not None:
            return (TextFile(local) if self._length is None else FixedFile(local, self._length),)
        data = storage.read(file.path)
        if file.name.endswith(".gz"):
            data = gzip.decompress(data)
        if self._length is not None:
            return (Chunk(FIXED, len(data) // self._length, data, self._length),)
        check_codec(file.path)
        blocks = line_blocks(without_mark([data]))
        return tuple(Chunk(LINES, count, payload) for payload, count in blocks)

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """See the base class; a batch of an earlier process knows only files that tasks read."""
        info = super().input_info(tick, parts)
        assert info is not None
        files = (item for items in parts for item in items if not isinstance(item, Chunk))
        found = self._found.get(tick) or [_shown(file.path) for file in files]
        return info._replace(files=tuple(found))

    def memory(self) -> dict[str, int]:
        """See the base class: the names that were read lately."""
        return dict(self._seen)

    def restore(self, memory: dict[str, int]) -> None:
        """See the base class."""
        self._seen = dict(memory)


def _shown(path: str) -> str:
    """Return a path as Hadoop prints it."""
    return f"file:{path}" if path.startswith("/") else path
