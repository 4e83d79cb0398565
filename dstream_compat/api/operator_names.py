"""Names the nodes of a composed operator after the method that the user called."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from ..graph.nodes import Node

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")


@dataclass
class _Operator:
    """The operator that the user called, with its first node as soon as there is one."""

    name: str
    first: int | None = None


_CALLED: Final[ContextVar[_Operator | None]] = ContextVar("_CALLED", default=None)


def as_one_operator(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Give all nodes that a method defines its name: the outermost one that the user called.

    Parameters
    ----------
    method : callable
        of a stream, which calls other methods of streams
    """

    @wraps(method)
    def call(stream: S, /, *args: P.args, **options: P.kwargs) -> R:
        if _CALLED.get() is not None:
            return method(stream, *args, **options)
        token = _CALLED.set(_Operator(method.__name__))
        try:
            return method(stream, *args, **options)
        finally:
            _CALLED.reset(token)

    return call


def with_operator_name(node: Node) -> Node:
    """Return a node that has just been made, with the name of what the user called."""
    operator = _CALLED.get()
    if operator is None:
        return node
    if operator.first is None:
        operator.first = node.id
    return replace(node, label=operator.name, whole=operator.first)
