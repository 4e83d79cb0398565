"""The types of parts of values: fields, elements, slices, groups of a match."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from dstream_compat.native.types import (
    Array,
    Dictionary,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
)

from .formats import check_spec
from .results import WHOLE, optional
from .types import Match, UnknownTypeError, named

if TYPE_CHECKING:
    from .function_facts import Following
    from .names import Names


def item(here: Following, node: ast.Subscript, names: Names) -> Type:
    """Return the type of a part of a value."""
    owner = here.here(here.type(node.value, names))
    if isinstance(node.slice, ast.Slice):
        for part in (node.slice.lower, node.slice.upper, node.slice.step):
            if part is not None and not isinstance(here.type(part, names), Long | NoneType):
                raise UnknownTypeError("the ends of a slice are no integers")
        step = None if node.slice.step is None else here.type(node.slice.step, names)
        if isinstance(step, Long) and step.lo <= 0 <= step.hi:
            here.raised.add(ValueError)
        if isinstance(owner, String) or (isinstance(owner, Array) and not owner.lazy):
            return owner
        raise UnknownTypeError(f"a part of {named(owner)} is not known")
    index = here.type(node.slice, names)
    match owner:
        case Tuple(fields=fields) if isinstance(index, Long) and index.lo == index.hi:
            if -len(fields) <= index.lo < len(fields):
                return fields[index.lo]
        case Array(element=element, lazy=False) if isinstance(index, WHOLE):
            here.raised.add(IndexError)
            return element
        case String() if isinstance(index, WHOLE):
            here.raised.add(IndexError)
            return owner
        case Dictionary(value=value):
            here.raised.add(KeyError)
            here.hashed(index)
            return value
        case Match(groups=groups):
            here.raised.add(IndexError)
            known = isinstance(index, Long) and index.lo == index.hi
            if known and isinstance(index, Long) and 0 <= index.lo <= len(groups):
                return optional(String(), index.lo == 0 or groups[index.lo - 1])
            return Nullable(String())
    raise UnknownTypeError(f"`{ast.unparse(node)[:40]}`: a part of {named(owner)}")


def formatted(here: Following, parts: list[ast.expr], names: Names) -> Type:
    """Return the type of an f-string of some parts."""
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            here.text_of(here.type(part.value, names))
            if part.format_spec is not None:
                check_spec(part.format_spec)
                here.raised |= {ValueError, TypeError, OverflowError}
    return String()
