"""States of old checkpoints as RDDs."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from pyspark import SparkContext

from ..exceptions import CheckpointError
from ..graph.nodes import InitialPairs
from ..storage.files import LocalStorage, is_local
from ..wire import errors
from ..worker.reading.remote import RemoteReader
from .content import OldState
from .folder import OldCheckpoint, damage_error, pickles_in, pickles_of, read_checkpoint
from .java_stream import JavaStreamError

PREFIX: Final = "checkpoint:"
_PATTERN: Final = re.compile(r"[\\{}\[\]*?,]")
"""What Hadoop takes for a pattern, or for the end of a path."""
# A task carries its part of the state; Spark sends none above spark.rpc.message.maxSize (128 MB)
_BYTES_OF_A_TASK: Final = 16 << 20


class StateFile(NamedTuple):
    """A file of a state, which a task reads."""

    path: str
    state: str
    by_jvm: bool

    def read(self, reader: RemoteReader) -> Iterator[Any]:
        """See StoredPairs.

        Raises
        ------
        CheckpointError
            if it is missing or damaged
        """
        if not self.by_jvm:
            yield from _pairs_of(self.path, self.state)
            return
        try:
            with reader.open(self.path) as stream:
                data = b"".join(iter(stream.read, b""))
        except OSError as error:
            raise damage_error(self.path, self.state, error) from None
        yield from _pairs_in((self.path, data), self.state)


def state_pairs(
    sc: SparkContext, old: OldCheckpoint, state: OldState, at: int
) -> tuple[InitialPairs, int]:
    """Return the (key, state) pairs of a state as of a batch, and how many there are.

    Unpickling runs code, and needs the classes of keys and states: Spark's workers do it.

    Raises
    ------
    CheckpointError
        if the files of the state, or the classes of what is in them, are not there
    """
    parts = [part.path for part in old.parts(state, at) if part.size]
    files: list[StateFile] = []
    if _is_for_executors(sc, parts):
        contents = sc.binaryFiles(",".join(parts), len(parts))
        pairs = contents.flatMap(partial(_pairs_in, state=state.title))
        files = [StateFile(path, state.title, True) for path in parts]
    elif parts and is_local(sc, parts[0]) and (sc.master or "").startswith("local"):
        # absolute: a restart may have another working folder
        parts = [os.path.abspath(LocalStorage().local(path)) for path in parts]
        pairs = sc.parallelize(parts, len(parts)).flatMap(partial(_pairs_of, state=state.title))
        files = [StateFile(path, state.title, False) for path in parts]
    else:  # executors have other disks than the driver
        blobs = list(old.pickles(state, at))
        tasks = max(sc.defaultParallelism, sum(map(len, blobs)) // _BYTES_OF_A_TASK)
        pairs = sc.parallelize(blobs, max(min(len(blobs), tasks), 1)).flatMap(records)
    try:
        return InitialPairs(pairs, files), pairs.count()
    except errors.SPARK_ERRORS as error:
        captured = errors.capture_root(error)
        kind, _, said = captured.summary.partition(": ")
        if kind.endswith(CheckpointError.__name__):
            raise CheckpointError(said) from error
        raise CheckpointError(
            f"the state of {state.title} in {old.folder} cannot be loaded:\n"
            f"{captured.text}\nThe classes of its keys and states must be "
            "importable by Spark's workers under the names that they had. Nothing was changed"
        ) from error


def _is_for_executors(sc: SparkContext, parts: Sequence[str]) -> bool:
    """Return whether executors can read the files of a state through Hadoop, by their names."""
    return bool(parts) and not is_local(sc, parts[0]) and not any(map(_PATTERN.search, parts))


def _pairs_in(file: tuple[str, bytes], state: str) -> Iterator[Any]:
    path, data = file
    try:
        for pickled in pickles_in(data, path, state):
            yield from records(pickled)
    except JavaStreamError as error:
        raise damage_error(path, state, error) from None


def _pairs_of(path: str, state: str) -> Iterator[Any]:
    for pickled in pickles_of(LocalStorage(), path, state):
        yield from records(pickled)


def records(data: bytes) -> Iterator[Any]:
    """Yield the records of one pickled list."""
    loaded = pickle.loads(data)
    yield from loaded if isinstance(loaded, list) else [loaded]


def loaded_records(old: OldCheckpoint, state: OldState, at: int) -> Iterator[Any]:
    """Yield the (key, state) pairs of a state as of a batch, which this process unpickles.

    Raises
    ------
    CheckpointError
        if the files of the state, or the classes of what is in them, are not there
    """
    for data in old.pickles(state, at):
        try:
            yield from records(data)
        except (ImportError, AttributeError) as error:
            raise CheckpointError(
                f"the state of #{state.number} {state.label} has objects of a class that is not "
                f"here: {error}. Run this where the job's modules can be imported (PYTHONPATH)"
            ) from error
        except (pickle.UnpicklingError, EOFError, ValueError) as error:
            raise CheckpointError(
                f"the state of #{state.number} {state.label} has a pickle that cannot be loaded: "
                f"{error}"
            ) from error


def initial_state(sc: SparkContext, text: str) -> InitialPairs:
    """Return the state that ``checkpoint:FOLDER#NUMBER`` names, as of the latest saved batch.

    Raises
    ------
    ValueError
        if it is not such a text
    CheckpointError
        if there is no such state
    """
    folder, _, number = text.removeprefix(PREFIX).rpartition("#")
    if not text.startswith(PREFIX) or not folder or not number.isdigit():
        raise ValueError(
            f"initialRDD={text!r} is neither pairs nor of the form checkpoint:FOLDER#NUMBER; "
            "`dstream-compat checkpoint show FOLDER` has the numbers of the states"
        )
    old = read_checkpoint(sc, folder)
    states = [
        state for state in old.content.states if state.number == int(number) and state.folders
    ]
    if not states:
        labels = [f"#{s.number} {s.label}" for s in old.content.states if s.folders]
        raise CheckpointError(f"{folder} has no saved state #{number}: it has {labels or 'none'}")
    return state_pairs(sc, old, states[0], max(states[0].folders))[0]
