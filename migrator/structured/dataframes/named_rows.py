"""Records that are named tuples or `Row`: which steps they pass as such, and where they end."""

from __future__ import annotations

import keyword

from dstream_compat.native.expressions import Expression, Struct
from dstream_compat.native.makers import ROW
from dstream_compat.native.types import Tuple, Type, maker_of, walk

from ..program.graph import Node
from ..refusals import NotExpressible
from .frames import Frame

SHADOWED = frozenset((*dir(tuple), "asDict"))
"""Names of columns that are methods of `Row`."""
PASSED = frozenset(("cache", "filter", "persist", "rdd", "repartition", "sortBy", "union"))
"""The steps whose records are the same objects."""
READ = frozenset(("count", "flatMap", "map"))
"""The steps that read their fields and give something else."""


def check_names(node: Node, parents: list[Frame], frame: Frame) -> None:
    """Check that no step takes named tuples for plain ones.

    Raises
    ------
    NotExpressible
        if the names could be lost, or are in a record of another shape
    """
    types = [parent.element.type for parent in parents]
    if any(map(has_names, types)) and node.operator not in PASSED | READ:
        raise NotExpressible("NAMED_TUPLES", f"`{node.operator}` of named tuples", node.call)
    kind = frame.element.type
    if not has_names(kind):
        return
    fields = frame.element.fields if isinstance(frame.element, Struct) else ()
    if not maker_of(kind) or not fields or any(has_names(field.type) for field in fields):
        raise NotExpressible("NAMED_TUPLES", "named tuples in records", node.call)
    if any(isinstance(field.type, Tuple) for field in fields):
        raise NotExpressible("NESTED", "tuples in named tuples", node.call)
    if any(shape(each) != shape(kind) for each in types if node.operator in PASSED):
        raise NotExpressible("MIXED_TYPES", "the records have several types", node.call)


def has_names(kind: Type) -> bool:
    """Return whether values of a type are named tuples, or have some in them."""
    return any(maker_of(part) for part in walk(kind))


def shape(kind: Type) -> tuple[str, tuple[str, ...]]:
    """Return the class and the names of named tuples."""
    return maker_of(kind), kind.names if isinstance(kind, Tuple) else ()


def is_row(kind: Type) -> bool:
    """Return whether records are `Row`, as those of DataFrames are."""
    return maker_of(kind) == ROW


def field_of(row: str, name: str) -> str:
    """Return a column of a row, as source; names that `Row` has itself are no attributes."""
    if name in SHADOWED or keyword.iskeyword(name) or not name.isidentifier():
        return f'{row}["{name}"]'
    return f"{row}.{name}"


def value_of(row: str, value: Expression, names: tuple[str, ...]) -> str:
    """Return a value of the old stream, from the columns of a row."""
    fields = iter([field_of(row, name) for name in names])

    def field_source(part: Expression) -> str:
        if not isinstance(part, Struct):
            return next(fields)
        inner = [field_source(field) for field in part.fields]
        return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"

    return field_source(value)
