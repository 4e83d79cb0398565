"""textFileStream and binaryRecordsStream: new files of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pyspark import SparkConf, SparkContext

from ...storage.files import is_local
from ...storage.spool import Spool
from ..base import Demand, Source
from .input import FileInput
from .listing import PATTERN, unusable_folder
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
