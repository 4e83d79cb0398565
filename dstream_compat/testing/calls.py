"""Remembers by which call of the job a stream, an RDD or a frame was made."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from ..graph.call_sites import call_site

_ATTRIBUTE: Final = "_dstream_compat_made_by"
_calls = threading.local()


@dataclass(eq=False)
class Made:
    """The call that made something.

    Parameters
    ----------
    operator : str
        such as ``reduceByKey``
    name : str
        such as ``reduceByKey at job.py:10``
    parents : tuple
        what it was made from
    sources : tuple of str
        the recorded sources that it reads, as far as they are known
    """

    operator: str
    name: str
    parents: tuple[Any, ...]
    sources: tuple[str, ...] = ()


def place(operator: str) -> str:
    """Return a name such as ``pprint at job.py:12``."""
    return call_site().name(operator)


def call_of(owner: Any) -> Made | None:
    """Return the call that made something, if it is known."""
    call = getattr(owner, "__dict__", {}).get(_ATTRIBUTE)
    return call if isinstance(call, Made) else None


def name_of_call(owner: Any) -> str:
    """Return the name of the call that made something; empty if it is not known."""
    call = call_of(owner)
    return call.name if call else ""


def sources_of(owner: Any) -> list[str]:
    """Return the recorded sources that something reads; none if they are not known."""
    call = call_of(owner)
    return [] if call is None else [*call.sources]


def remember(
    owner: type, kinds: tuple[type, ...], seen: Callable[[Any, Made], None] | None = None
) -> None:
    """Let what the public methods of a class make know which call of the job made it.

    Parameters
    ----------
    owner : type
        the class
    kinds : tuple of type
        what is remembered, if a method returns it
    seen : callable, optional
        called with each new one
    """
    for name, method in inspect.getmembers(owner, inspect.isfunction):
        if not name.startswith(("_", "start", "await", "stop")):
            setattr(owner, name, remember_call(name, method, kinds, seen))


@contextlib.contextmanager
def not_the_jobs() -> Iterator[None]:
    """Remember no call of the body: they are not the job's."""
    before, _calls.inside = getattr(_calls, "inside", False), True
    try:
        yield
    finally:
        _calls.inside = before


def remember_call(
    name: str,
    method: Callable[..., Any],
    kinds: tuple[type, ...],
    seen: Callable[[Any, Made], None] | None,
) -> Callable[..., Any]:
    """Return a function whose results know which call of the job made them."""

    @functools.wraps(method)
    def call(*args: Any, **options: Any) -> Any:
        if getattr(_calls, "inside", False):
            return method(*args, **options)  # the outermost call is the job's
        _calls.inside = True
        try:
            result = method(*args, **options)
        finally:
            _calls.inside = False
        if isinstance(result, kinds) and call_of(result) is None:
            parents = tuple(argument for argument in _flat(args) if call_of(argument))
            new = Made(name, place(name), parents)
            result.__dict__[_ATTRIBUTE] = new
            if seen is not None:
                seen(result, new)
        return result

    return call


def _flat(args: tuple[Any, ...]) -> list[Any]:
    return [item for arg in args for item in (arg if isinstance(arg, list | tuple) else [arg])]
