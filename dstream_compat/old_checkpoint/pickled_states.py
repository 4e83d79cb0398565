"""States of old checkpoints as RDDs."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any, Final

from pyspark import RDD, SparkContext

from ..exceptions import CheckpointError
from ..wire import errors
from .content import OldState
from .folder import OldCheckpoint, read_checkpoint

PREFIX: Final = "checkpoint:"
# A task carries its part of the state; Spark sends none above spark.rpc.message.maxSize (128 MB)
_BYTES_OF_A_TASK: Final = 16 << 20


def state_rdd(
    sc: SparkContext, old: OldCheckpoint, state: OldState, at: int
) -> tuple[RDD[Any], int]:
    """Return the (key, state) pairs of a state as of a batch, and how many there are.

    Unpickling runs code, and needs the classes of keys and states: Spark's workers do it.

    Raises
    ------
    CheckpointError
        if the files of the state, or the classes of what is in them, are not there
    """
    blobs = list(old.pickles(state, at))
    tasks = max(sc.defaultParallelism, sum(map(len, blobs)) // _BYTES_OF_A_TASK)
    rdd: RDD[Any] = sc.parallelize(blobs, max(min(len(blobs), tasks), 1))
    pairs = rdd.flatMap(records)
    try:
        return pairs, pairs.count()
    except errors.SPARK_ERRORS as error:
        raise CheckpointError(
            f"the state of #{state.number} {state.label} in {old.folder} cannot be loaded:\n"
            f"{errors.capture_root(error).text}\nThe classes of its keys and states must be "
            "importable by Spark's workers under the names that they had. Nothing was changed"
        ) from error


def records(data: bytes) -> Iterator[Any]:
    """Yield the records of one pickled list."""
    found = pickle.loads(data)
    yield from found if isinstance(found, list) else [found]


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


def initial_state(sc: SparkContext, text: str) -> RDD[Any]:
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
    found = [state for state in old.content.states if state.number == int(number) and state.folders]
    if not found:
        known = [f"#{s.number} {s.label}" for s in old.content.states if s.folders]
        raise CheckpointError(f"{folder} has no saved state #{number}: it has {known or 'none'}")
    return state_rdd(sc, old, found[0], max(found[0].folders))[0]
