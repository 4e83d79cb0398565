"""The types of parts of values: fields, elements, slices, groups of a match."""

from __future__ import annotations

import ast

from dstream_compat.native.types import (
    Array,
    Dictionary,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    present,
    words,
)

from .following import Following
from .formats import check_spec
from .names import Names
from .results import WHOLE, optional
from .types import Match, UnknownTypeError, is_lazy, parts, spread


def item(here: Following, node: ast.Subscript, names: Names) -> Type:
    """Return the type of a part of a value."""
    owner = here.here(here.type(node.value, names))
    if not isinstance(node.slice, ast.Slice):
        return part(here, owner, here.type(node.slice, names))
    for end in (node.slice.lower, node.slice.upper, node.slice.step):
        kind = NoneType() if end is None else here.type(end, names)
        if not all(isinstance(each, (*WHOLE, NoneType)) for each in parts(present(kind))):
            raise UnknownTypeError("the ends of a slice are no integers")
        if end is node.slice.step and isinstance(kind, Long) and kind.lo <= 0 <= kind.hi:
            here.raised.add(ValueError)
    if any(not isinstance(each, String | Array) or is_lazy(each) for each in parts(owner)):
        raise UnknownTypeError(f"a part of {words(owner)} is not known")
    return owner


def part(here: Following, owner: Type, index: Type) -> Type:
    """Return the type of the part of a value at an index."""
    return spread(lambda one, at: _part(here, one, at), owner, index)


def _part(here: Following, owner: Type, index: Type) -> Type:
    known = index.lo if isinstance(index, Long) and index.lo == index.hi else None
    match owner:
        case Tuple(fields=fields) if known is not None and -len(fields) <= known < len(fields):
            return fields[known]
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
            if known is not None and 0 <= known <= len(groups):
                return optional(String(), known == 0 or groups[known - 1])
            return Nullable(String())
    raise UnknownTypeError(f"a part of {words(owner)} is not known")


def formatted(here: Following, parts: list[ast.expr], names: Names) -> Type:
    """Return the type of an f-string of some parts."""
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            here.text_of(here.type(part.value, names))
            if part.format_spec is not None:
                check_spec(part.format_spec)
                here.raised |= {ValueError, TypeError, OverflowError}
    return String()
