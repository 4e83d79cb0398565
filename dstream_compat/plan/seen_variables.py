"""What functions in workers see of the driver: variables, and objects that may change."""

from __future__ import annotations

import builtins
import dis
import io
import logging
import sys
from collections import namedtuple
from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from functools import lru_cache, partial
from operator import attrgetter, itemgetter, methodcaller
from re import Pattern
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    GenericAlias,
    ModuleType,
    UnionType,
)
from typing import Any, Final, NamedTuple
from uuid import UUID

from pyspark import Accumulator, Broadcast, cloudpickle

_FIXED: Final = (type, ModuleType, FunctionType, BuiltinFunctionType)
_CONSTANT: Final = (
    *(date, time, timedelta, tzinfo, Decimal, Enum, UUID, Pattern),
    *(partial, attrgetter, itemgetter, methodcaller, CodeType, GenericAlias, UnionType),
)
_CONSTANT_OF: Final = frozenset({"builtins", "dataclasses", "typing"})
"""Modules whose objects do not change; dataclasses has descriptions of fields."""
_OWN: Final = frozenset({"dstream_compat", "pyspark", "py4j"})
_OF_TUPLES: Final = frozenset(vars(namedtuple("_AnyNamedTuple", ())))
_PARTS: Final = frozenset({"__globals__", "__path__", "__annotations__", "_cloudpickle_submodules"})

Key = tuple[object, ...]


class UsedVariable(NamedTuple):
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


class WorkerPickler(cloudpickle.Pickler):
    """Pickles functions for workers.

    Parameters
    ----------
    stream : BytesIO
        where to

    Attributes
    ----------
    accumulates : bool
        whether an accumulator was pickled: it counts all intervals of a micro-batch, so late ones
        run one by one
    """

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, 5)  # type: ignore[no-untyped-call]
        self.accumulates = False

    def reducer_override(self, obj: Any) -> Any:
        self.accumulates |= isinstance(obj, Accumulator)
        return super().reducer_override(obj)  # type: ignore[no-untyped-call]


class SeenVariables(WorkerPickler):
    """Pickles functions as for workers, and notes what of the driver they see."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO())
        self.variables: dict[Key, UsedVariable] = {}
        self.objects: dict[int, Any] = {}
        self._parts: dict[int, Any] = {}  # containers of how something is pickled

    def persistent_id(self, obj: Any) -> Any:
        kind = type(obj)
        if _changes(kind):  # type: ignore[arg-type]
            if id(obj) not in self._parts:
                self.objects[id(obj)] = obj  # kept, so that the number stays its own
        elif kind.__dictoffset__ and not isinstance(obj, _FIXED):
            self._parts[id(vars(obj))] = vars(obj)
        return None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Broadcast) or type(obj).__module__ == "typing":
            return int, ()  # workers get it in another way, or do nothing with it
        reduced = super().reducer_override(obj)
        if isinstance(obj, FunctionType) and reduced is not NotImplemented:
            self._leave_out(reduced[1:3])
            if not is_library(obj.__globals__.get("__name__")):
                self._note([*around(obj), *_defaults(obj)])
        elif isinstance(obj, type) and reduced is not NotImplemented:
            self._leave_out(reduced[1:3])
            own = dict(attributes(obj))
            self._parts |= {id(v): v for name, v in vars(obj).items() if name not in own}
            if not is_library(obj.__module__):
                self._note(
                    UsedVariable(("attribute", id(obj), name), f"{obj.__name__}.{name}", value)
                    for name, value in own.items()
                )
        elif isinstance(obj, partial):
            values = (*obj.args, *obj.keywords.values())
            self._note(
                UsedVariable(("value", id(v)), "partial", v) for v in values if can_change(v)
            )
        return reduced

    def _note(self, variables: Iterable[UsedVariable]) -> None:
        self.variables |= {each.key: each for each in variables}

    def _leave_out(self, reduced: Any) -> None:
        """Leave out the dicts of a function's or a class's own parts; what they hold is noted."""
        for part in reduced:
            if isinstance(part, tuple):
                self._leave_out(part)
            elif isinstance(part, dict):
                self._parts[id(part)] = part
                for name in _PARTS & part.keys():
                    self._parts[id(part[name])] = part[name]

    def name_of(self, obj: Any) -> str:
        """Return what users call an object that is seen."""
        named = (each.name for each in self.variables.values() if each.value is obj)
        return next(named, type(obj).__name__)

    def names(self) -> list[str]:
        """Return what is seen, in the words of users; functions and classes go without saying."""
        shown = [each for each in self.variables.values() if _is_shown(each.value)]
        own = [each for each in self.objects.values() if type(each).__module__ != "builtins"]
        named = [each.name for each in shown] + [self.name_of(thing) for thing in own]
        return list(dict.fromkeys(named or map(self.name_of, self.objects.values())))


def _is_shown(value: Any) -> bool:
    kind = type(value)
    hidden = isinstance(value, _FIXED) or hasattr(kind, "__get__")
    return not hidden and kind.__module__ not in ("dataclasses", "typing")


def can_change(obj: Any) -> bool:
    """Return whether an object may hold something else later."""
    return _changes(type(obj))  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _changes(kind: type) -> bool:
    if issubclass(kind, list | dict | set | bytearray):
        return True
    if issubclass(kind, (*_FIXED, *_CONSTANT)) or hasattr(kind, "__get__"):
        return False
    frozen = getattr(getattr(kind, "__dataclass_params__", None), "frozen", False)
    if frozen or (issubclass(kind, tuple) and not kind.__dictoffset__):
        return False  # what it holds is looked at
    return kind.__module__ not in _CONSTANT_OF and not is_own(kind.__module__)


def goes_by_name(obj: Any) -> bool:
    """Return whether workers get an object of their own that has the same name."""
    try:
        reduced = obj.__reduce_ex__(5)
    except Exception:  # cloudpickle knows how
        return False
    return isinstance(reduced, str) or (
        isinstance(reduced, tuple) and reduced[0] is logging.getLogger
    )


def is_own(module: str | None) -> bool:
    """Return whether a module belongs to Spark or to this package."""
    return str(module).partition(".")[0] in _OWN


def is_library(module: str | None) -> bool:
    """Return whether a module, which has no variables of users, is Python's or Spark's."""
    return is_own(module) or str(module).partition(".")[0] in sys.stdlib_module_names


def attributes(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the attributes of a class that users have given it."""
    for name, value in list(vars(cls).items()):
        hidden = name == "_abc_impl" or (name[:1] == "_" and name[-1:] == "_")
        if (
            not hidden
            and not isinstance(value, Enum)
            and not (issubclass(cls, tuple) and name in _OF_TUPLES)
        ):
            yield name, value


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of the functions in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


def operations(function: FunctionType) -> Iterator[tuple[str, str]]:
    """Yield what a function does with names; what it assigns of ``self`` is no class's."""
    for code in codes(function.__code__):
        before: Any = None
        for each in dis.get_instructions(code):
            of_self = before == "self" or (isinstance(before, tuple) and before[-1:] == ("self",))
            if isinstance(each.argval, str) and not (each.opname == "STORE_ATTR" and of_self):
                yield each.opname, each.argval
            before = each.argval if each.opname.startswith("LOAD_FAST") else None


def cells(function: FunctionType) -> dict[str, CellType]:
    """Return the variables of outer functions that a function uses."""
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def around_outside(function: FunctionType) -> Iterator[UsedVariable]:
    """Yield the variables of outer functions that a function uses."""
    for name, cell in cells(function).items():
        try:
            yield UsedVariable(("cell", id(cell)), name, cell.cell_contents)
        except ValueError:
            yield UsedVariable(("cell", id(cell)), name, None)  # not assigned yet


def around(function: FunctionType) -> Iterator[UsedVariable]:
    """Yield the variables of outer functions and of the module that a function uses."""
    yield from around_outside(function)
    space = function.__globals__
    used = [name for op, name in operations(function) if op.endswith("_GLOBAL")]
    for name in dict.fromkeys(used):
        if name in space or not hasattr(builtins, name):
            yield UsedVariable(("attribute", id(space), name), name, space.get(name))


def _defaults(function: FunctionType) -> Iterator[UsedVariable]:
    """Yield the defaults of parameters that may change."""
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    pairs = [*zip(names, values, strict=True), *(function.__kwdefaults__ or {}).items()]
    return (UsedVariable(("value", id(v)), name, v) for name, v in pairs if can_change(v))
