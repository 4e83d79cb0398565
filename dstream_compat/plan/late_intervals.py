"""Whether the intervals of a micro-batch may see the same variables of the driver.

What a query's functions see is looked at at each batch time, and late intervals run together as
long as it is the same. That is not enough for accumulators, which count all intervals of a
micro-batch, and for what functions of ``transform`` change: DStreams call them at the batch time,
this package when the batch runs.
"""

from __future__ import annotations

import dis
import gc
import io
from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from functools import partial
from operator import attrgetter, itemgetter, methodcaller
from re import Pattern
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple
from uuid import UUID

from pyspark import Accumulator, Broadcast, cloudpickle

from ..graph.nodes import Graph, NarrowNode, QueryPlace, RDDNode, ShuffleNode, of_kind, place_of

_FIXED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType)
_CONSTANT: Final = (
    *(date, time, timedelta, tzinfo, Decimal, Enum, UUID, Pattern),
    *(partial, attrgetter, itemgetter, methodcaller),
)
_OWN: Final = ("dstream_compat.", "pyspark.", "py4j.")
_MOST: Final = 100_000
"""Objects that are looked at before a function counts as one that may change anything."""

Key = tuple[object, ...]


class LateIntervals(NamedTuple):
    """How the late intervals of a context's first query run.

    Parameters
    ----------
    apart : bool
        each in a micro-batch of its own
    at_run : bool
        they see variables as they are when they run, not as they were at their batch time
    text : str
        both and why, for users to read
    """

    apart: bool
    at_run: bool
    text: str


class _Variable(NamedTuple):
    """What a function uses from around it.

    Parameters
    ----------
    key : tuple
        tells the variable apart, whoever uses it
    name, value : str, object
        what it is called, and what it is now
    """

    key: Key
    name: str
    value: Any


class _Seen(cloudpickle.Pickler):
    """Pickles functions as for workers, and notes what of the driver they see."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), 5)  # type: ignore[no-untyped-call]
        self.variables: dict[Key, _Variable] = {}
        self.objects: dict[int, Any] = {}
        self.accumulates = False

    def persistent_id(self, obj: Any) -> Any:
        if _can_change(obj):
            self.objects[id(obj)] = obj  # kept, so that the number stays its own
        return None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Broadcast):
            return int, ()  # workers get it in another way
        self.accumulates |= isinstance(obj, Accumulator)
        made = super().reducer_override(obj)  # type: ignore[no-untyped-call]
        if isinstance(obj, FunctionType) and made is not NotImplemented:
            if not _is_own(obj.__module__):
                self._note([*_around(obj), *_defaults(obj)])
        elif isinstance(obj, partial):
            values = (*obj.args, *obj.keywords.values())
            self._note(_Variable(("value", id(v)), "partial", v) for v in values if _can_change(v))
        return made

    def _note(self, variables: Iterable[_Variable]) -> None:
        self.variables |= {
            each.key: each for each in variables if not isinstance(each.value, _FIXED)
        }

    def name_of(self, obj: Any) -> str:
        """Return what users call an object that is seen."""
        named = (each.name for each in self.variables.values() if each.value is obj)
        return next(named, type(obj).__name__)

    def names(self) -> list[str]:
        """Return what is seen, in the words of users."""
        own = [each for each in self.objects.values() if type(each).__module__ != "builtins"]
        return list(
            dict.fromkeys(
                [each.name for each in self.variables.values()] + [self.name_of(o) for o in own]
            )
        )


def _can_change(obj: Any) -> bool:
    if isinstance(obj, list | dict | set | bytearray):
        return True
    kind = type(obj)
    fixed = isinstance(obj, (*_FIXED, *_CONSTANT, CodeType)) or kind.__module__ == "builtins"
    return not fixed and not _is_own(kind.__module__)


def _is_own(module: str | None) -> bool:
    return f"{module}.".startswith(_OWN)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _operations(function: FunctionType) -> Iterator[tuple[str, str]]:
    for code in _codes(function.__code__):
        for each in dis.get_instructions(code):
            if isinstance(each.argval, str):
                yield each.opname, each.argval


def _cells(function: FunctionType) -> dict[str, CellType]:
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def _around(function: FunctionType) -> Iterator[_Variable]:
    """Yield the variables of outer functions and of the module that a function uses."""
    for name, cell in _cells(function).items():
        try:
            yield _Variable(("cell", id(cell)), name, cell.cell_contents)
        except ValueError:
            yield _Variable(("cell", id(cell)), name, None)  # not assigned yet
    space = function.__globals__
    used = [name for op, name in _operations(function) if op.endswith("_GLOBAL")]
    for name in dict.fromkeys(used):
        if name in space:
            yield _Variable(("global", id(space), name), name, space[name])


def _defaults(function: FunctionType) -> Iterator[_Variable]:
    """Yield the defaults of parameters that may change."""
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    given = [*zip(names, values, strict=True), *(function.__kwdefaults__ or {}).items()]
    return (_Variable(("value", id(v)), name, v) for name, v in given if _can_change(v))


def _assigned(function: FunctionType) -> Iterator[Key]:
    """Yield what tells the variables apart that a function may assign."""
    cells = _cells(function)
    for op, name in _operations(function):
        if op in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            yield "global", id(function.__globals__), name
        elif op in ("STORE_DEREF", "DELETE_DEREF") and name in cells:
            yield "cell", id(cells[name])


def _changeable(functions: Iterable[Any], seen: _Seen) -> str | None:
    """Return what functions of the driver may change of what others see, None if nothing."""
    todo, known = list(functions), dict[int, Any]()
    while todo:
        obj = todo.pop()
        if id(obj) in known:
            continue
        known[id(obj)] = obj
        if id(obj) in seen.objects:
            return seen.name_of(obj)
        if len(known) > _MOST:
            return "they use too many objects to tell"
        if isinstance(obj, FunctionType):
            for key in _assigned(obj):
                if key in seen.variables:
                    return seen.variables[key].name
            todo += [each.value for each in _around(obj)]
            todo += [obj.__defaults__, obj.__kwdefaults__]
        elif not isinstance(obj, type | ModuleType) and not _is_own(type(obj).__module__):
            todo += gc.get_referents(obj)
    return None


def late_intervals(graph: Graph) -> LateIntervals:
    """Return how late intervals run, and why.

    Parameters
    ----------
    graph : Graph
        what the user built
    """
    nodes, places, seen = graph.reachable(), dict[int, QueryPlace](), _Seen()
    here = [node for node in nodes if place_of(node, places) == QueryPlace(0, False)]
    functions = [node.fn for node in of_kind(here, NarrowNode)]
    functions += [node.op for node in of_kind(here, ShuffleNode)]
    try:
        seen.dump(functions)  # type: ignore[no-untyped-call]
    except Exception as error:  # what is started says so, too
        told = f"{type(error).__name__}: {error}"
        return LateIntervals(False, False, f"unknown, as functions cannot be pickled: {told}")
    changed = _changeable((node.fn for node in of_kind(nodes, RDDNode)), seen)
    if changed is not None:
        why = f"a function that runs on RDDs may change what functions in workers see: {changed}"
        return LateIntervals(True, True, f"one by one, as {why}")
    if seen.accumulates:
        why = "functions in workers add to an accumulator, which outputs may read"
        return LateIntervals(True, False, f"one by one, as {why}")
    names = seen.names()
    if not names:
        return LateIntervals(False, False, "together, as functions in workers see no variables")
    text = f"together, as long as functions in workers see the same: {', '.join(names)}"
    return LateIntervals(False, False, text)
