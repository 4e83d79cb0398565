"""A checkpoint folder of DStreams: its files, and the states in it; nothing in it is changed."""

from __future__ import annotations

import logging
import re
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

from ..exceptions import CheckpointError
from ..storage.files import FolderEntry, LocalStorage, Storage, join, reason_of, storage_for
from .compression import decompress
from .content import Content, OldState
from .java_graph import content_of
from .java_stream import JavaStream, JavaStreamError

_LOG = logging.getLogger("dstream_compat")
_FILE: Final = re.compile(r"checkpoint-(\d+)(\.bk)?")
_CHECKSUMS: Final = b"crc\x00"
"""Begins Hadoop's checksums beside a local file."""
_PART: Final = re.compile(r"part-\d+")
_LATE_MS: Final = 20_000
_LONGEST_WAIT: Final = 40.0


@dataclass
class OldCheckpoint:
    """What a checkpoint folder of DStreams holds.

    Parameters
    ----------
    folder, file : str
        the folder, and the name of the file that was read
    written : int
        when that was written (milliseconds since the epoch)
    content : Content
        what it says
    unread : list of str
        newer files that could not be read, with the reasons
    """

    folder: str
    file: str
    written: int
    content: Content
    storage: Storage
    sc: SparkContext | None = None
    unread: list[str] = field(default_factory=list)

    def pickles(self, state: OldState, at: int) -> Iterator[bytes]:
        """Yield the pickled lists of records of a state as of a batch.

        Raises
        ------
        CheckpointError
            if a file of it is missing or damaged, or no pickle
        """
        for part in self.parts(state, at):
            yield from pickles_of(self.storage, part.path, state.title)

    def has(self, path: str) -> bool:
        """Return whether a file of the job's input is there."""
        with explain_read_errors(path):
            return storage_of(self.sc, path).exists(path)

    def size(self, state: OldState, at: int) -> int:
        """Return how many bytes the files of a state have, as they are stored.

        Raises
        ------
        CheckpointError
            if they cannot be listed
        """
        return sum(entry.size for entry in self._list_files(state, at))

    def parts(self, state: OldState, at: int) -> list[FolderEntry]:
        """Return the files of a state as of a batch, in order.

        Raises
        ------
        CheckpointError
            if there are none
        """
        parts = sorted(self._list_files(state, at), key=lambda entry: entry.path)
        if not parts:
            folder = self._state_folder(state.folders[at])
            raise CheckpointError(f"{folder} contains no part of the state: restore it")
        return parts

    def _list_files(self, state: OldState, at: int) -> list[FolderEntry]:
        folder = self._state_folder(state.folders[at])
        try:
            with explain_read_errors(folder):
                entries = self.storage.list(folder)
        except (FileNotFoundError, NotADirectoryError):
            raise CheckpointError(
                f"{folder} is not there, the state of #{state.number} {state.label} as of {at} ms: "
                "the copy of the checkpoint is incomplete, or the job went on and deleted it"
            ) from None
        return [entry for entry in entries if _PART.fullmatch(entry.name)]

    def _state_folder(self, noted: str) -> str:
        """Return where a state is, also in a folder that was moved or copied."""
        inside = join(self.folder, *noted.rstrip("/").split("/")[-2:])
        with explain_read_errors(inside):
            return inside if self.storage.exists(inside) else noted

    def refuse_running(self) -> None:
        """Refuse the folder of a job that still writes to it, which is once in a batch interval.

        If it was written to within the last interval, and a little more for a job that is late,
        this waits until that has passed, and looks again. It does not wait long.

        Raises
        ------
        CheckpointError
            if something newer was written, or may be by a job of a long interval
        """
        interval = self.content.interval
        now = time.time()
        left = (self.written + interval + min(interval, _LATE_MS)) / 1000 - now
        if left > _LONGEST_WAIT:
            raise CheckpointError(
                f"{self.folder} was written to {max(now - self.written / 1000, 0):.0f} s ago, and "
                f"an interval is {interval / 1000:g} s: its job may still run. Stop it, and start "
                f"this one when {left:.0f} s have passed without another checkpoint. Nothing was "
                "changed"
            )
        if left > 0:
            _LOG.warning(
                "%s was written to a moment ago: looking again in %.0f s, whether its job still "
                "runs",
                self.folder,
                left,
            )
            time.sleep(left)
        if _newest(self.storage, self.folder) > self.written:
            raise CheckpointError(
                f"{self.folder} is written to by a running job: stop it first. Nothing was changed"
            )


@contextmanager
def explain_read_errors(path: str) -> Iterator[None]:
    """Say what it is that cannot be read; files that are not there are the caller's."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise
    except (OSError, Py4JJavaError) as error:
        raise CheckpointError(f"{path} cannot be read: {reason_of(error)}") from error


def read_whole(storage: Storage, path: str) -> bytes:
    """Return a file's bytes, compared with its checksums where there are some.

    A file that is cut between two records looks whole otherwise. Other file systems than local
    ones check what they read by themselves.

    Raises
    ------
    JavaStreamError
        if they are not those that were written
    """
    data = storage.read(path)
    folder, _, name = path.rpartition("/")
    beside = join(folder or "/", f".{name}.crc")
    if storage.local(path) is None or not storage.exists(beside):
        return data
    sums = storage.read(beside)
    if sums[:4] != _CHECKSUMS or len(sums) < 8:
        raise JavaStreamError(f"its checksums in .{name}.crc are damaged")
    (size,) = struct.unpack_from(">i", sums, 4)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    checksums = b"".join(struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks)
    if checksums != sums[8:]:
        raise JavaStreamError(f"it does not match its checksums in .{name}.crc: cut off or changed")
    return data


def pickles_of(storage: Storage, path: str, state: str) -> Iterator[bytes]:
    """Yield the pickled lists of records in a file of a state.

    Parameters
    ----------
    storage : Storage
        where the file is
    path : str
        the file
    state : str
        which one it is, for messages

    Raises
    ------
    CheckpointError
        if it is missing or damaged, or holds no pickles
    """
    try:
        with explain_read_errors(path):
            data = read_whole(storage, path)
        yield from pickles_in(data, path, state)
    except (JavaStreamError, FileNotFoundError) as error:
        # alone: of several in a worker, the first would be told
        raise damage_error(path, state, error) from None


def damage_error(path: str, state: str, error: Exception) -> CheckpointError:
    """Return what is raised for a file of a state that cannot be read."""
    return CheckpointError(
        f"{path} cannot be read, a part of the state of {state}: {error}. Restore the file from a "
        "backup"
    )


def pickles_in(data: bytes, path: str, state: str) -> Iterator[bytes]:
    """Yield the pickled lists of records in the bytes of a file; see ``pickles_of``."""
    if not data:
        return  # a partition without any key
    for value in JavaStream(decompress(data)).objects():
        if not isinstance(value, bytes):
            raise CheckpointError(
                f"{path} holds Java objects, the state of a job in Scala or Java: only "
                f"states of Python are read ({state})"
            )
        yield value


def storage_of(sc: SparkContext | None, folder: str) -> Storage:
    """Return where a folder is.

    Without a SparkContext, a local one is read without Spark, and so is one without a scheme:
    Spark's default file system is not known.

    Raises
    ------
    CheckpointError
        if there is no such file system
    """
    if sc is None and ("://" not in folder or folder.startswith("file:")):
        return LocalStorage()
    SparkContext._ensure_initialized()
    try:
        return storage_for(sc, folder)
    except Py4JJavaError as error:
        raise CheckpointError(f"{folder} cannot be read: {reason_of(error)}") from error


def read_checkpoint(sc: SparkContext | None, folder: str) -> OldCheckpoint:
    """Return what a checkpoint folder holds: of its newest file that can be read.

    Parameters
    ----------
    sc : SparkContext, optional
        whose Hadoop configuration counts
    folder : str
        any Hadoop path

    Raises
    ------
    CheckpointError
        if it has none that can be read
    """
    storage = storage_of(sc, folder)
    unread: list[str] = []
    for entry in _files(storage, folder):
        try:
            content = content_of(read_whole(storage, entry.path))
        except (JavaStreamError, OSError, Py4JJavaError) as error:  # Spark takes an older one, too
            reason = str(error) if isinstance(error, JavaStreamError) else reason_of(error)
            unread.append(f"{entry.name}: {reason}")
            continue
        written = _newest(storage, folder)
        return OldCheckpoint(folder, entry.name, written, content, storage, sc, unread)
    if unread:
        raise CheckpointError(
            f"no checkpoint file of {folder} can be read: {'; '.join(unread)}. Restore one from a "
            "backup; nothing was changed"
        )
    raise CheckpointError(
        f"{folder} holds no checkpoint of Spark's DStreams (no file checkpoint-<time>): name the "
        "folder that the job gave to StreamingContext.checkpoint or getOrCreate"
    )


def _files(storage: Storage, folder: str) -> list[FolderEntry]:
    """Return the checkpoint files, the one that Spark would take first."""
    try:
        with explain_read_errors(folder):
            entries = [entry for entry in storage.list(folder) if not entry.is_folder]
    except (FileNotFoundError, NotADirectoryError):
        return []
    matches = [(match, entry) for entry in entries if (match := _FILE.fullmatch(entry.name))]

    def age(file: tuple[re.Match[str], Any]) -> tuple[int, bool]:
        return -int(file[0][1]), bool(file[0][2])

    return [entry for _, entry in sorted(matches, key=age)]


def _newest(storage: Storage, folder: str) -> int:
    return max((entry.modified for entry in _files(storage, folder)), default=0)
