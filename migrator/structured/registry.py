"""The methods that have a counterpart, by family; each family is a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .dataframes.frames import Frame
from .program.graph import Node, Output, Stage

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
    """Register a method of streams."""

    def register(make: Made) -> Made:
        OPERATORS[name] = Operator(stage, parameters, make, reason, streams)
        return make

    return register


def source(name: str, stage: Stage, *parameters: str, reason: str) -> Callable[[Made], Made]:
    """Register a method that reads from outside."""

    def register(make: Made) -> Made:
        SOURCES[name] = Operator(stage, parameters, make, reason)
        return make

    return register


def output(name: str, *parameters: str, reason: str) -> Callable[[Written], Written]:
    """Register an output."""

    def register(write: Written) -> Written:
        OUTPUTS[name] = (parameters, write, reason)
        return write

    return register
