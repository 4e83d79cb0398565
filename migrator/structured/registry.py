"""The methods that have a counterpart, by family; each family is a file."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .frames import Frame
from .graph import Node, Output, Stage

# what they are given first is a `Builder`, which needs this module
Made = Callable[[Any, Node], Frame]
Written = Callable[[Any, Output], list[str]]


@dataclass(frozen=True)
class Operator:
    """A method of streams or RDDs.

    Parameters
    ----------
    stage : Stage
        where its result is computed, at the earliest
    parameters : tuple of str
        its parameters, as Spark names them; those that have a default end with ``=``
    make : callable
        gives the frame of a node
    reason : str
        why the rewriting is equal, in a sentence
    streams : tuple of str
        which of the parameters are other streams or RDDs
    """

    stage: Stage
    parameters: tuple[str, ...]
    make: Made
    reason: str
    streams: tuple[str, ...] = ()


OPERATORS: dict[str, Operator] = {}
SOURCES: dict[str, Operator] = {}
OUTPUTS: dict[str, tuple[tuple[str, ...], Written, str]] = {}


def operator(
    name: str, stage: Stage, *parameters: str, reason: str, streams: tuple[str, ...] = ()
) -> Callable[[Made], Made]:
    """Registers a method of streams."""

    def register(make: Made) -> Made:
        OPERATORS[name] = Operator(stage, parameters, make, reason, streams)
        return make

    return register


def source(name: str, stage: Stage, *parameters: str, reason: str) -> Callable[[Made], Made]:
    """Registers a method that reads from outside."""

    def register(make: Made) -> Made:
        SOURCES[name] = Operator(stage, parameters, make, reason)
        return make

    return register


def output(name: str, *parameters: str, reason: str) -> Callable[[Written], Written]:
    """Registers an output."""

    def register(write: Written) -> Written:
        OUTPUTS[name] = (parameters, write, reason)
        return write

    return register


def bound(call: ast.Call, parameters: tuple[str, ...]) -> dict[str, ast.expr] | None:
    """The arguments of a call by the parameters' names, None if they do not fit."""
    names = [each.rstrip("=") for each in parameters]
    if any(isinstance(each, ast.Starred) for each in call.args) or len(call.args) > len(names):
        return None
    found = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg not in names or keyword.arg in found:
            return None
        found[keyword.arg] = keyword.value
    needed = {each for each in parameters if not each.endswith("=")}
    return found if needed <= found.keys() else None


def is_none(node: ast.expr) -> bool:
    """Whether it is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None
