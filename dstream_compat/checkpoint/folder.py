"""The checkpoint folder that the user named, before a run is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

from ..exceptions import CheckpointError
from ..storage.files import discard, join, reason_of, storage_for
from ..wire.errors import SPARK_ERRORS

_REAL: Final = re.compile(r"checkpoint-\d+(\.bk)?")


@contextmanager
def storage_errors(root: str) -> Iterator[None]:
    """Say which folder it is that cannot be used; files that are not there are the caller's."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, *SPARK_ERRORS) as error:
        raise CheckpointError(
            f"the checkpoint folder {root} cannot be used: {reason_of(error)}"
        ) from error


def refuse_real_checkpoint(sc: SparkContext | None, folder: str) -> None:
    """Refuse a folder that holds a checkpoint of Spark's own DStreams.

    Raises
    ------
    CheckpointError
        if it does
    """
    with storage_errors(folder):
        storage = storage_for(sc, folder)
        entries = storage.list(folder) if storage.exists(folder) else []
    names = [e.name for e in entries if _REAL.fullmatch(e.name)]
    if names:
        raise CheckpointError(
            f"{folder} holds a checkpoint of Spark's own DStreams ({sorted(names)[0]}). Give the "
            "job a new checkpoint folder; spark.streaming.compat.importFrom takes state and "
            "positions over: see docs/switching.md. Nothing was changed in this one"
        )


def use_for_rdds(sc: SparkContext, folder: str) -> None:
    """Let RDDs that are checkpointed be kept below a checkpoint folder, which is made if need be.

    Mirrors what ``StreamingContext.checkpoint`` does to the SparkContext.

    Raises
    ------
    CheckpointError
        if it cannot be written
    """
    with storage_errors(folder):
        try:
            sc.setCheckpointDir(folder)
        except Py4JJavaError:
            # Hadoop's local file system does not say why it makes no folder
            storage, probe = storage_for(sc, folder), join(folder, "_can_be_written")
            storage.write(probe, b"")
            discard(storage, probe)
            raise
