"""Ships the functions of a query anew when variables of the driver that they see have changed.

DStreams pickle a user's function for each batch, so a global or a broadcast variable that another
function of the driver replaces is seen from the next batch on. A streaming query pickles it once.
"""

from __future__ import annotations

import hashlib
import io
import logging
import pickle
from collections.abc import Callable, Mapping
from typing import Any, Final

from pyspark import Broadcast, SparkContext, cloudpickle

from ..plan.compile import Plan
from ..wire.task_properties import CarriedBroadcast, set_changed_stage

_LOG: Final = logging.getLogger(__name__)
_ATTEMPTS: Final = 5
_LARGE: Final = 1 << 20
"""Bytes in every task that their owner should know of."""


class _Pickler(cloudpickle.Pickler):
    """Pickles like Spark's serializer, but for broadcast variables that workers do not have.

    Parameters
    ----------
    stream : BytesIO
        where to
    known : callable
        whether workers have a broadcast variable, by its number
    """

    def __init__(self, stream: io.BytesIO, known: Callable[[int], bool]) -> None:
        super().__init__(stream, 5)  # type: ignore[no-untyped-call]
        self._known = known

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Broadcast) and not self._known(_number(obj)):
            return CarriedBroadcast, (obj.value,)
        return super().reducer_override(obj)  # type: ignore[no-untyped-call]


def _number(variable: Broadcast[Any]) -> int:
    return int(variable._jbroadcast.id())


class _Seen(set[int]):
    def note(self, number: int) -> bool:
        """Add a number; it is known from now on."""
        self.add(number)
        return True


class ShippedFunctions:
    """Compares the functions that a query has shipped with what it would ship now.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    plan : Plan
        of the query
    """

    def __init__(self, sc: SparkContext, plan: Plan) -> None:
        self._sc = sc
        self._parts: Mapping[str, Any] = plan.shipped()
        self._broadcasts: dict[str, set[int]] = {}
        self._begun: dict[str, bytes] = {}
        self._sent: dict[str, bytes] = {}
        self._large: set[str] = set()

    def begin(self) -> None:
        """Note what Spark's query is about to ship: the functions as they are.

        Raises
        ------
        pickle.PicklingError
            if one of them cannot be shipped
        """
        self._broadcasts = {}
        for name in self._parts:
            seen = _Seen()
            try:
                data = self._pickle(name, seen.note)
            except Exception as error:
                raise pickle.PicklingError(
                    f"Could not serialize object: {type(error).__name__}: {error}"
                ) from error
            self._begun[name] = digest_of(data)
            self._broadcasts[name] = seen
        self._sent = dict(self._begun)  # its thread is a new one, which has none of the changes

    def ship_changes(self) -> None:
        """Tell the tasks of jobs that this thread starts from now on what has changed."""
        for name, begun in self._begun.items():
            data = self._pickle(name, self._broadcasts[name].__contains__)
            digest = digest_of(data)
            if digest != self._sent[name]:
                size = set_changed_stage(self._sc, name, None if digest == begun else data)
                self._sent[name] = digest
                if size > _LARGE and name not in self._large:
                    self._large.add(name)
                    _LOG.warning(
                        "functions of stage %s use values that have changed since the query began: "
                        "each task of the stage now carries them, compressed to %d bytes, until "
                        "the job is started again",
                        name,
                        size,
                    )

    def _pickle(self, name: str, known: Callable[[int], bool]) -> bytes:
        return steadily(lambda: self._dumps(self._parts[name], known))

    def _dumps(self, part: Any, known: Callable[[int], bool]) -> bytes:
        stream = io.BytesIO()
        try:
            _Pickler(stream, known).dump(part)  # type: ignore[no-untyped-call]
        finally:
            # Pickled variables are noted for the next function that this thread makes.
            self._sc._pickled_broadcast_vars.clear()
        return stream.getvalue()


def steadily(dump: Callable[[], bytes]) -> bytes:
    """Pickle something that other threads may change meanwhile."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return dump()
        except RuntimeError as error:
            if "changed size during iteration" not in str(error) or attempt == _ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def digest_of(data: bytes) -> bytes:
    """Return what tells two pickles apart."""
    return hashlib.blake2b(data, digest_size=16).digest()
