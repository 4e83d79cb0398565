"""Selects where a part that several columns need, or one needs again and again, has a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from dstream_compat.native.expressions import (
    Call,
    Column,
    Expression,
    GetField,
    GetItem,
    Variable,
    When,
    walk,
)
from dstream_compat.native.raising import always_evaluated
from dstream_compat.native.types import String

from .chains import Aliased, Chain

OFTEN = 4
"""How often a small part is written before it gets a name."""
SMALL, LARGE = 3, 7
"""The least nodes of a part that gets a name; and of one that is written less often."""

Pair = tuple[Expression, str]


def select_columns(code: Chain, pairs: list[Pair]) -> Chain:
    """Return a frame with these columns, after the parts that they share."""
    code, pairs, _ = share_parts(code, pairs)
    return code.call("select", *(Aliased(*pair) for pair in pairs))


def share_parts(
    code: Chain, pairs: list[Pair], others: Sequence[Expression] = ()
) -> tuple[Chain, list[Pair], Sequence[Expression]]:
    """Return a frame with the parts that columns share.

    Parameters
    ----------
    pairs : list of (Expression, str)
        the columns with their names
    others : sequence of Expression
        what is computed of the frame, too, such as aggregates
    """
    while (part := _shared_part([each for each, _ in pairs])) is not None:
        every = [*(each for each, _ in pairs), *others]
        taken = {column.name for each in every for column in _columns(each)}
        name = _name(part, pairs, taken | {name for _, name in pairs})
        column = Column(part.type, name)
        pairs = [(replace_part(each, part, column), alias) for each, alias in pairs]
        others = [replace_part(other, part, column) for other in others]
        every = [*(each for each, _ in pairs), *others]
        needed = dict.fromkeys(
            column.name for expression in every for column in _columns(expression)
        )
        columns = (Aliased(Column(part.type, each)) for each in needed if each != name)
        code = code.call("select", *columns, Aliased(part, name))
    return code, pairs, others


def _shared_part(expressions: list[Expression]) -> Expression | None:
    """Return the smallest part that is worth a name, and is computed whatever a record is."""
    counted = Counter(part for expression in expressions for part in walk(expression))
    sure = {part for expression in expressions for part in always_evaluated(expression)}
    candidates = [
        part
        for part, times in counted.items()
        if part in sure
        and times > 1
        and isinstance(part, Call | GetField | GetItem | When)
        and not any(isinstance(piece, Variable) for piece in walk(part))
        and any(isinstance(piece, Column) for piece in walk(part))
        and _size(part) >= (LARGE if times < OFTEN else SMALL)
    ]
    return min(candidates, key=_size, default=None)


def _size(part: Expression) -> int:
    return sum(1 for _ in walk(part))


def _name(part: Expression, pairs: list[Pair], taken: Collection[str]) -> str:
    base_name = next((name for expression, name in pairs if part in walk(expression)), "value")
    match part:
        case Call(function="split"):
            base_name = "parts"
        case GetField(name=name) | Call(function="coalesce", arguments=(GetField(name=name), *_)):
            base_name = name
        case _ if isinstance(part.type, String):
            base_name += "_text"
        case _:
            base_name += "_part"
    number, free_name = 1, base_name
    while free_name in taken:
        number += 1
        free_name = f"{base_name}_{number}"
    return free_name


def _columns(expression: Expression) -> Iterator[Column]:
    return (part for part in walk(expression) if isinstance(part, Column))


def replace_part(value: Any, part: Expression, column: Column) -> Any:
    """Return an expression, or a tuple of some, with a column in the place of a part."""
    if value == part:
        return column
    if isinstance(value, tuple):
        return tuple(replace_part(each, part, column) for each in value)
    if not isinstance(value, Expression):
        return value
    parts = {field.name: getattr(value, field.name) for field in fields(value)}
    changed = {
        name: replace_part(old, part, column) for name, old in parts.items() if name != "type"
    }
    return replace(value, **changed)
