"""Finds what an object of any class consists of, so that two of them can be compared."""

from __future__ import annotations

import contextlib
import copyreg
import re
import struct
import sys
import types
import weakref
from collections.abc import Iterator
from typing import Any, Final

_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")
_POINTER: Final = struct.calcsize("P")
_NAMED: Final = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
_MAKERS: Final[tuple[Any, ...]] = tuple(
    getattr(copyreg, name) for name in ("__newobj__", "__newobj_ex__")
)


def ways_to_read(value: Any) -> Iterator[list[tuple[str, Any]]]:
    """Yield names and values of what an object has, the best way first; nothing if it has none.

    The first are its slots and its ``__dict__``, unless its class is not written in Python and has
    more than these. The second is what pickle keeps, if the class says what that is.

    Parameters
    ----------
    value : object
        anything but a value that JSON has, and collections of these
    """
    kind = type(value)
    if isinstance(value, weakref.ReferenceType):
        yield [("referent", value())]
    if isinstance(value, (weakref.ReferenceType, *_NAMED)):
        return
    fields = sorted((_slots(value) | _by_name(_dict(value))).items())
    is_of_c = _is_of_c(kind)
    if fields and not is_of_c:
        yield fields
    if (is_of_c or _says_how_it_is_pickled(kind)) and (parts := _parts_of_pickle(value)):
        yield parts
    if fields and is_of_c:
        yield fields


def shown_text(value: Any) -> str | None:
    """Return the text of an object that has no fields; None if that is only where it is in memory.

    Parameters
    ----------
    value : object
        the object
    """
    if isinstance(value, _NAMED):
        return _global_name(value)
    kind: Any = type(value)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        # an instance of such a class is like any other one, unless the class hides something
        return None if kind is object or _is_of_c(kind) else ""
    text = str(value)
    return None if _ADDRESS.search(text) else text


def _says_how_it_is_pickled(kind: Any) -> bool:
    hooks = ("__reduce_ex__", "__reduce__", "__getstate__")
    return any(getattr(kind, name) is not getattr(object, name) for name in hooks)


def _dict(value: Any) -> dict[Any, Any]:
    attributes = getattr(value, "__dict__", None)
    return attributes if isinstance(attributes, dict) else {}


def _slots(value: Any) -> dict[str, Any]:
    """Return the slots of all classes of an object; those that are not set are left out."""
    values: dict[str, Any] = {}
    for owner in type(value).__mro__:
        for name, slot in _slots_of(owner).items():
            if name not in values:
                with contextlib.suppress(AttributeError):
                    values[name] = slot.__get__(value)
    return values


def _slots_of(owner: type) -> dict[str, Any]:
    """Return the slots that a class adds; what a class of C names so has no common form."""
    if "__slots__" not in vars(owner):
        return {}
    members = vars(owner).items()
    return {
        name: member for name, member in members if isinstance(member, types.MemberDescriptorType)
    }


def _is_of_c(kind: type) -> bool:
    """Return whether instances have more than slots and a ``__dict__``, as pickle finds it out."""
    size = object.__basicsize__
    for name in ("__dictoffset__", "__weakrefoffset__"):
        size += _POINTER * (getattr(kind, name) > 0)
    size += _POINTER * sum(len(_slots_of(owner)) for owner in kind.__mro__)
    return kind.__itemsize__ != 0 or kind.__basicsize__ > size


def _parts_of_pickle(value: Any) -> list[tuple[str, Any]]:
    """Return what pickle makes an object of; nothing if it cannot be pickled."""
    reduce = copyreg.dispatch_table.get(type(value))
    try:
        reduced: Any = value.__reduce_ex__(4) if reduce is None else reduce(value)
    except Exception:  # of a lock, for instance, or of the job's own code
        return []
    if isinstance(reduced, str):
        return [("name", reduced)]
    make, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
    parts: list[tuple[str, Any]] = []
    if make in _MAKERS:
        arguments = arguments[1:]
    elif make is not type(value):
        parts.append(("made by", getattr(make, "__qualname__", str(make))))
    if arguments:
        parts.append(("args", arguments))
    if items is not None:
        parts.append(("items", list(items)))
    if pairs is not None:
        parts.append(("pairs", list(pairs)))
    return [*_state(state), *parts]


def _state(state: Any) -> list[tuple[str, Any]]:
    match state:
        case None:
            return []
        case dict():
            return sorted(_by_name(state).items())
        case (dict() | None as fields, dict(slots)):
            return sorted(_by_name((fields or {}) | slots).items())
    return [("state", state)]


def _by_name(fields: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): field for name, field in fields.items()}


def _global_name(value: Any) -> str | None:
    """Under which name a class, a function or a module is found; None if it is under none."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    module, name = getattr(value, "__module__", None) or "builtins", value.__qualname__
    thing: Any = sys.modules.get(module)
    for step in name.split("."):
        thing = getattr(thing, step, None)
    is_class = isinstance(value, type)
    return f"{module}.{name}" if thing is value or is_class else None
