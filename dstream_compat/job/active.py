"""Knows which StreamingContext of this process is active."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any, Protocol

from ..exceptions import StreamingStateError
from ..lifecycle import Lifecycle, Phase

if TYPE_CHECKING:
    from pyspark import SparkContext


class ActiveContext(Protocol):
    """The part of a StreamingContext that is used here."""

    _sc: SparkContext
    _life: Lifecycle


_LOCK = threading.Lock()
_active: ActiveContext | None = None
_latest: weakref.ref[ActiveContext] | None = None


def note_latest(context: ActiveContext) -> None:
    """Note the context that was made last."""
    global _latest
    with _LOCK:
        _latest = weakref.ref(context)


def latest(sc: SparkContext) -> Any:
    """Return the context that was made last, if it is one of a SparkContext and not stopped."""
    with _LOCK:
        context = None if _latest is None else _latest()
    usable = context is not None and context._sc is sc and context._life.phase is not Phase.STOPPED
    return context if usable else None


def get() -> Any:
    """Return the context that was started and not stopped, or None."""
    with _LOCK:
        return _active


def claim(context: ActiveContext) -> None:
    """Make a context the active one.

    Raises
    ------
    StreamingStateError
        if another one is active
    """
    global _active
    with _LOCK:
        if _active is not None and _active is not context:
            raise StreamingStateError(
                "Only one StreamingContext may be started in this JVM. Stop the running one first"
            )
        _active = context


def release(context: ActiveContext) -> None:
    """Make no context active, if this one is."""
    global _active
    with _LOCK:
        if _active is context:
            _active = None
