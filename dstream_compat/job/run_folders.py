"""Where a run keeps its files: in the checkpoint folder of the context, or in a temporary one.

Decision 0059: Runs in a checkpoint folder are kept for a day.
"""

from __future__ import annotations

from pyspark import SparkContext

from ..checkpoint.checkpoint import Checkpoint
from ..spark.java import spark_is_there
from ..storage.files import discard, join, storage_for
from ..storage.spool import Spool
from ..storage.temporary import temporary_folder


class RunFolders:
    """The folders of one run.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    checkpoint : Checkpoint, optional
        of the run; None for a run that cannot be recovered
    """

    def __init__(self, sc: SparkContext, checkpoint: Checkpoint | None) -> None:
        self._sc = sc
        self._checkpoint = checkpoint
        self._durable = None if checkpoint is None else checkpoint.folder
        self._temporary = None if checkpoint else temporary_folder(sc)

    def query(self, name: str) -> str:
        """Return where Spark keeps the checkpoint of a query."""
        return join(self._durable or self._temporary or "", name)

    def durable(self, name: str) -> str | None:
        """Return the path of something that a recovered run needs; None if this one cannot be."""
        return None if self._durable is None else join(self._durable, name)

    def has_progress(self) -> bool:
        """Return whether Spark has committed a micro-batch of a run that can be recovered."""
        return self._checkpoint is not None and self._checkpoint.has_progress()

    def spool(self, name: str) -> Spool | None:
        """Return the spool of a name; None if the run cannot be recovered."""
        folder = self.durable(name)
        return None if folder is None else Spool(storage_for(self._sc, folder), folder)

    def discard(self) -> None:
        """Delete the temporary folder, if there is one, unless only a Spark that is gone could."""
        folder = self._temporary
        if folder is not None and (folder.startswith("file:") or spark_is_there(self._sc)):
            discard(storage_for(self._sc, folder), folder)
