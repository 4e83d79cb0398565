"""Checkpoints: Spark's own of the query, plus the graph and configuration of the context."""

from __future__ import annotations

import hashlib
import json
import logging
import pickle
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext, cloudpickle

from ..exceptions import CheckpointError
from ..graph.nodes import Graph
from ..intervals.imported import Imported
from ..spark.settings import refuse_absent
from ..storage.files import FolderEntry, Storage, discard, join, reason_of, storage_for
from ..version_differences import running_versions
from ..wire.byte_code import has_byte_code
from ..wire.secret import names_for_secrets, secrets_without_values
from .driver_variables import Variables, with_variables
from .folder import storage_errors
from .graph_shape import Origin, Shape

_LOG = logging.getLogger("dstream_compat")
_FOLDER: Final = "dstream-compat"
_FORMAT: Final = 9
_ALIVE_SECONDS: Final = 24 * 3600.0
_WRITER: Final = "written_by"
_CHANGED: Final = "Was the job's code or Python changed?"
_LOST: Final = (
    "Broadcast variables are not restored: a function that needs one has to make it on first use, "
    "not to capture it."
)


@dataclass
class Saved:
    """What is needed to continue a context; ``imported`` is that of its graph.

    Parameters
    ----------
    graph : Graph
        outputs and all that they need
    shape : Shape
        what state and inputs depend on
    origins : tuple of Origin
        the sources and states that they are of
    conf : list of (str, str)
        the SparkConf of the run that saved it
    partitions : int
        shuffle partitions of the query
    hash_probe : int
        hash of a fixed string in a worker: where keys are depends on it
    rescaled_from : str, optional
        the run that this one is a copy of, with its state moved
    """

    graph: Graph
    shape: Shape
    origins: tuple[Origin, ...]
    conf: list[tuple[str, str]]
    partitions: int
    hash_probe: int
    imported: Imported | None = None
    rescaled_from: str | None = None


class Checkpoint:
    """The checkpoint folder of a context.

    Parameters
    ----------
    storage : Storage
        where it is
    folder : str
        what the user named
    run : str, optional
        an earlier run to continue; None begins one
    """

    def __init__(self, storage: Storage, folder: str, run: str | None = None) -> None:
        self._storage = storage
        self._root = join(storage.qualified_path(folder), _FOLDER)
        self.run = run or f"run-{uuid.uuid4().hex}"
        self._graph_digest = b""

    @property
    def folder(self) -> str:
        """Folder of the run: Spark's checkpoints of its queries, and what is not committed."""
        return join(self._root, self.run)

    def save(self, saved: Saved) -> None:
        """Write the graph of a new run.

        Raises
        ------
        CheckpointError
            if the folder cannot be written
        pickle.PicklingError
            if a function of the user cannot be serialised
        """
        try:
            with names_for_secrets() as secrets:
                graph: bytes = cloudpickle.dumps(saved.graph, 5)  # type: ignore[no-untyped-call]
        except Exception as error:
            raise pickle.PicklingError(
                "The DStream checkpointing has been enabled but the DStreams with their functions "
                f"are not serializable. Could not serialize object: {type(error).__name__}: {error}"
            ) from error
        self._graph_digest = hashlib.sha256(graph).digest()
        values = {name: value for name, value in saved.__dict__.items() if value is not None}
        secrets += self._write(_FORMAT, values | {"graph": None}, graph)
        # after the graph: if this is broken off, the writer is not known
        with storage_errors(self._root):
            self._storage.write(self._path(_WRITER), json.dumps(running_versions()).encode())
        if secrets:
            _LOG.warning(
                "the checkpoint %s has these values as they are: %s. It has only the name of an "
                "environment variable, or of a setting of the submission, that gives such a value "
                "and is named as one, such as MQTT_PASSWORD",
                self._path("graph"),
                ", ".join(dict.fromkeys(secrets)),
            )

    def save_again(self, other: Checkpoint, partitions: int, hash_probe: int) -> None:
        """Write what another run has saved, which this one is a copy of with its state moved."""
        version, values, graph = pickle.loads(self._storage.read(other._path("graph")))
        values |= {"partitions": partitions, "rescaled_from": other.run, "hash_probe": hash_probe}
        self._write(version, values, graph)

    def _write(self, *content: Any) -> list[str]:
        """Write the file of the graph; returns which secrets it has the values of."""
        with storage_errors(self._root), names_for_secrets() as secrets:
            self._storage.write(self._path("graph"), pickle.dumps(content, 5))
        return secrets

    def _writer(self) -> dict[str, str]:
        """Return the versions that wrote the graph; nothing if it notes none."""
        try:
            with storage_errors(self._root):
                versions: dict[str, str] = json.loads(self._storage.read(self._path(_WRITER)))
        except FileNotFoundError:
            return {}
        return versions

    def has_own_byte_code(self) -> bool:
        """Return whether this Python can run the functions that the run holds, as far as known."""
        own = running_versions()["byte_code"]
        return self._writer().get("byte_code", own) == own

    def _path(self, name: str) -> str:
        return join(self.folder, name)

    def variables(self, graph: Graph) -> Variables:
        """Return what saves the variables that functions of the graph see."""
        return Variables(self._storage, self._path("variables"), graph, lambda: self._graph_digest)

    def make_current(self) -> None:
        """Make this run the one that recovery continues; drops old ones, but for the previous one.

        What was written to lately may be of another job that runs in the same folder.
        """
        current = _current(self._storage, self._root)
        previous = None if current is None else current.run
        text = json.dumps({"format": _FORMAT, "run": self.run, "previous": previous})
        with storage_errors(self._root):
            self._storage.write(join(self._root, "current"), text.encode())
            entries = self._storage.list(self._root)
        for entry in entries:
            is_other = entry.is_folder and entry.name not in (self.run, previous)
            if is_other and time.time() - self._last_written(entry) > _ALIVE_SECONDS:
                discard(self._storage, entry.path)

    def _last_written(self, run: FolderEntry) -> float:
        """Return when a micro-batch of a run was logged last (seconds since the epoch)."""
        try:
            logged = self._storage.list(join(run.path, "query", "offsets"))
        except FileNotFoundError:
            logged = []
        except (OSError, Py4JJavaError) as error:
            _LOG.warning(
                "%s could not be deleted, since it cannot be listed: %s", run.path, reason_of(error)
            )
            return time.time()
        return max((entry.modified for entry in logged), default=run.modified) / 1000

    def note_progress(self) -> None:
        """Note that Spark has committed a micro-batch of the run: its checkpoints must be there."""
        path = self._path("progress")
        with storage_errors(self._root):
            if not self._storage.exists(path):
                self._storage.write(path, b"")

    def has_progress(self) -> bool:
        """Return whether Spark has committed a micro-batch of the run."""
        with storage_errors(self._root):
            return self._storage.exists(self._path("progress"))

    def check_progress(self, queries: Sequence[str]) -> None:
        """Refuse a run whose state is gone: Spark would begin without any.

        Parameters
        ----------
        queries : sequence of str
            Spark's checkpoint folders of the run's queries

        Raises
        ------
        CheckpointError
            if batches were committed, but Spark's checkpoint of a query is not there
        """
        if not self.has_progress():
            return
        with storage_errors(self._root):
            for folder in queries:
                offsets = join(folder, "offsets")
                if not self._storage.exists(offsets) or not self._storage.list(offsets):
                    raise CheckpointError(
                        f"{offsets} is gone or empty, though the job has committed batches: state "
                        "and positions are lost. Restore the folder, or point the job at an empty "
                        "checkpoint folder; nothing was changed here"
                    )

    def load(self, with_graph: bool = True, to_run: bool = True) -> Saved:
        """Return what the run saved.

        Parameters
        ----------
        with_graph : bool
            False leaves the graph empty: its functions may need code that is gone
        to_run : bool
            False if the functions of the graph will not be called

        Raises
        ------
        CheckpointError
            if it cannot be read, or this Python cannot run it
        """
        path = self._path("graph")
        try:
            version, *content = pickle.loads(self._storage.read(path))
            if version == _FORMAT:
                fields, data = content
                self._graph_digest = hashlib.sha256(data).digest()
                fields["graph"] = Graph(0)
                if with_graph:
                    if to_run and has_byte_code(data):
                        self._check_byte_code()
                    with secrets_without_values() as absent:
                        graph, path = pickle.loads(data), self._path("variables")
                    refuse_absent(absent)
                    fields["graph"] = with_variables(self._storage, path, graph, self._graph_digest)
        except CheckpointError:
            raise
        except Exception as error:
            why = _LOST if "BROADCAST_VARIABLE_NOT_LOADED" in str(error) else _CHANGED
            raise CheckpointError(
                f"the checkpoint {path} cannot be read: {type(error).__name__}: {error}. {why} "
                "spark.streaming.compat.rebuildGraph=true takes the graph from the current code. "
                "To start without it, point the job at an empty folder; nothing was changed here"
            ) from error
        if version != _FORMAT:
            raise CheckpointError(_format_problem(path, version, self._writer()))
        return Saved(**fields)

    def _check_byte_code(self) -> None:
        if not self.has_own_byte_code():
            python = running_versions()["python"]
            raise CheckpointError(
                f"the checkpoint {self.folder} was written by {_text_of(self._writer())}, and this "
                f"is Python {python}, which cannot run the functions that are saved in it. Start "
                "the job once with spark.streaming.compat.rebuildGraph=true: it takes them from "
                "the current code, and goes on with state and positions. Nothing was changed here"
            )


def _text_of(writer: Mapping[str, str], version: object = _FORMAT) -> str:
    """Return in words what wrote a checkpoint of a format."""
    if writer:
        text = "dstream_compat {dstream_compat} with PySpark {pyspark} and Python {python}"
        return text.format(**writer)
    return "a later dstream_compat" if _is_newer(version) else "dstream_compat 0.1.0"


def _is_newer(version: object) -> bool:
    return isinstance(version, int) and version > _FORMAT


def _format_problem(path: str, version: object, writer: Mapping[str, str]) -> str:
    todo = (
        "Run the job with that version of dstream_compat or a later one"
        if _is_newer(version)
        else "Run the job with that version, and let it hand its state over, as `Moving state by "
        "hand` in docs/production/upgrading.md shows"
    )
    own = running_versions()["dstream_compat"]
    return (
        f"{path} has format {version}, as {_text_of(writer, version)} writes it, and this is "
        f"dstream_compat {own}, which reads format {_FORMAT}. {todo}, or point it at an empty "
        "folder; nothing was changed here"
    )


class Recovered(NamedTuple):
    """A run to continue, and what it saved."""

    run: Checkpoint
    saved: Saved


class _Current(NamedTuple):
    """The run that a folder goes on with, and the format that it is in."""

    run: str
    version: object


def _current(storage: Storage, root: str) -> _Current | None:
    try:
        with storage_errors(root):
            current = json.loads(storage.read(join(root, "current")))
            return _Current(str(current["run"]), current["format"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(
            f"{join(root, 'current')} is damaged ({error}): restore it, or point the job at an "
            "empty folder; nothing was changed here"
        ) from error


def find(sc: SparkContext | None, folder: str) -> Checkpoint | None:
    """Return the run to continue, or None when the folder holds none.

    Raises
    ------
    CheckpointError
        if it is in a format that this version does not read
    """
    with storage_errors(folder):
        storage = storage_for(sc, folder)
    root = join(folder, _FOLDER)
    current = _current(storage, root)
    if current is None:
        return None
    checkpoint = Checkpoint(storage, folder, current.run)
    if current.version != _FORMAT:
        # before anything is unpickled: other versions have other classes
        raise CheckpointError(_format_problem(root, current.version, checkpoint._writer()))
    return checkpoint
