"""Variables that functions of a job change in the driver, saved after each micro-batch.

DStreams pickle all functions with each checkpoint, so a dict that an output fills, or a model that
it trains, is the same after a recovery. So the graph is pickled again when they have changed; its
sources, which may hold much and keep their positions themselves, are those of the graph as saved at
the start.

Decision 0055: Variables of functions are saved with each micro-batch.
"""

from __future__ import annotations

import io
import logging
import pickle
from collections.abc import Callable
from typing import Any

from pyspark import Broadcast, cloudpickle

from ..batch.shipped_functions import digest_of, steadily
from ..graph.nodes import Graph, SourceNode, of_kind
from ..storage.files import Storage, reason_of
from ..wire.errors import SPARK_ERRORS

_LOG = logging.getLogger("dstream_compat")

_Parts = dict[tuple[str, int], object]


def _parts(graph: Graph) -> _Parts:
    """Return what is not pickled again, by name."""
    parts: _Parts = {}
    for node in of_kind(graph.reachable(), SourceNode):
        parts |= {(name, node.id): part for name, part in node.source.parts.items()}
    return parts


class _Pickler(cloudpickle.Pickler):
    def __init__(self, stream: io.BytesIO, parts: _Parts) -> None:
        super().__init__(stream, 5)  # type: ignore[no-untyped-call]
        self._names = {id(part): name for name, part in parts.items()}

    def persistent_id(self, obj: Any) -> Any:
        return self._names.get(id(obj))

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Broadcast):
            raise pickle.PicklingError("a recovered context has no broadcast variables")
        return super().reducer_override(obj)  # type: ignore[no-untyped-call]


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, parts: _Parts) -> None:
        super().__init__(io.BytesIO(data))
        self._parts = parts

    def persistent_load(self, pid: Any) -> Any:
        return self._parts[pid]


class Variables:
    """Saves the driver variables that the functions of a graph use.

    Parameters
    ----------
    storage : Storage
        where it is
    path : str
        the file
    graph : Graph
        whose functions to save
    of : callable
        gives what tells the graph that was saved last, to which the file belongs
    """

    def __init__(self, storage: Storage, path: str, graph: Graph, of: Callable[[], bytes]) -> None:
        self._storage = storage
        self._path = path
        self._graph = graph
        self._of = of
        self._parts = _parts(graph)
        self._saved: bytes | None = None
        try:
            self._saved = digest_of(self._dumps())
        except Exception as error:  # neither can they be saved later
            _LOG.debug("variables are not saved: %s", error)

    def save(self) -> None:
        """Save what has changed; what cannot be pickled any more stays as it was saved last."""
        if self._saved is None:
            return
        try:
            data = self._dumps()
        except Exception as error:
            self._saved = None
            _LOG.warning(
                "variables that the job's functions see cannot be saved any more (%s: %s): a "
                "recovery will restore the values that were saved last",
                type(error).__name__,
                error,
            )
            return
        digest = digest_of(data)
        if digest == self._saved:
            return
        try:
            self._storage.write(self._path, pickle.dumps((self._of(), data), 5))
            self._saved = digest
        except (OSError, *SPARK_ERRORS) as error:
            _LOG.error("%s cannot be written: %s", self._path, reason_of(error))

    def _dumps(self) -> bytes:
        def dump() -> bytes:
            stream = io.BytesIO()
            _Pickler(stream, self._parts).dump(self._graph)  # type: ignore[no-untyped-call]
            return stream.getvalue()

        return steadily(dump)


def with_variables(storage: Storage, path: str, graph: Graph, of: bytes) -> Graph:
    """Return a graph with the variables that were saved last, if any were; see ``Variables``."""
    if not storage.exists(path):
        return graph
    owner, data = pickle.loads(storage.read(path))
    if owner != of:
        return graph  # of code that was replaced since
    loaded: Graph = _Unpickler(data, _parts(graph)).load()
    return loaded
