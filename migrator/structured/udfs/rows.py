"""`map`, `filter`, `flatMap` and their kin by UDFs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dstream_compat.native import Refusal
from dstream_compat.native.expressions import Column, Expression, GetField, struct
from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    String,
    Tuple,
    Type,
    present,
    words,
)

from ..builder.conditions import check_order, evaluated
from ..dataframes.chains import Aliased
from ..dataframes.frames import Frame, columns_of, leaves_of, over_columns, unique
from ..dataframes.naming import elements_name, is_telling, record_names
from ..program.graph import Node
from ..refusals import NotExpressible
from .build import Udf, udf

if TYPE_CHECKING:
    from ..builder.builder import Builder

VERBS = ("parse_", "to_", "get_", "extract_", "make_", "as_", "read_", "split_", "find_")
EMPTY: dict[type[Type], str] = {String: '""', Long: "0", Double: "0.0"}


def beside_key(
    frame: Frame, key: Expression | None, made: str | Expression, column: Column
) -> Frame:
    """Return a frame with a column that is made of each row, beside its key.

    Parameters
    ----------
    frame : Frame
        the rows
    key : Expression or None
        the key, if records have one that stays
    made : str or Expression
        what the column is made by, which may give several rows
    column : Column
        the type of the column, and the name that it gets if no part of the key has it
    """
    keys = () if key is None else leaves_of(key)
    *key_names, name = names = unique((*frame.names[: len(keys)], column.name))
    columns = [Aliased(*each) for each in zip(keys, key_names, strict=True)]
    last = f'{made}.alias("{name}")' if isinstance(made, str) else Aliased(made, name)
    element, inner = of_column(Column(column.type, name))
    if key is not None:
        element = struct((over_columns(key, key_names), element))
    raising = {n for each, n in zip(keys, key_names, strict=True) if frame.may_raise(each)}
    code = frame.code.call("select", *columns, last)
    return Frame(code, element, unique((*key_names, *inner)), names, frozenset(raising))


def mapped(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None,
    value: Expression,
) -> Frame:
    """Return the frame of `map`; of `mapValues`, if there is a key."""
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    made = udf(builder, node, value, refusal)
    found = beside_key(frame, key, made.code, Column(made.type, _name(node, made)))
    if made.raises or frame.may_raise(value):
        found = replace(found, raising=found.raising | {found.columns[-1]})
    return found


def filtered(builder: Builder, node: Node, frame: Frame, refusal: Refusal) -> Frame:
    """Return the frame of `filter`."""
    builder.keeps(frame, node, frame.element)
    made = udf(builder, node, frame.element, refusal)
    check_order(builder, node, frame, (frame.element,), made.raises)
    kind = present(made.type)
    code = made.code
    if type(kind) in EMPTY:
        code = f"{code} != {EMPTY[type(kind)]}"
    elif not isinstance(kind, Boolean):
        text = f"the function of a filter gives {words(made.type)}, and has no expression"
        raise NotExpressible("TYPE", text, node.call)
    return evaluated(replace(frame, code=frame.code.call("where", code)), *leaves_of(frame.element))


def exploded(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None,
    value: Expression,
) -> Frame:
    """Return the frame of `flatMap`; of `flatMapValues`, if there is a key."""
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    made = udf(builder, node, value, refusal, flat=True)
    functions = builder.printer.functions
    if not isinstance(made.type, Tuple):
        item = elements_name(node, Column(Array(made.type), ""))
        code = f"{functions}.explode({made.code})"
        return beside_key(frame, key, code, Column(made.type, item))
    if key is not None or any(isinstance(each, Tuple) for each in made.type.fields):
        text = "the elements are tuples" + " of tuples" * (key is None)
        raise NotExpressible("NESTED", text, node.call)
    names = made.type.names
    aliases = ", ".join(f'"{name}"' for name in names)
    rows = frame.code.call("select", f"{functions}.inline({made.code}).alias({aliases})")
    return Frame(rows, columns_of(made.type, names), names, names)


def of_column(column: Column) -> tuple[Expression, tuple[str, ...]]:
    """Return a record that is a column, with the names of its
    values: those of a tuple are its fields.
    """
    element = _fields(column)
    leaves = [each for each in leaves_of(element) if isinstance(each, Column | GetField)]
    return element, unique(tuple(each.name for each in leaves))


def _fields(owner: Expression) -> Expression:
    if not isinstance(owner.type, Tuple):
        return owner
    pairs = zip(owner.type.fields, owner.type.names, strict=True)
    return struct(tuple(_fields(GetField(kind, owner, name)) for kind, name in pairs))


def _name(node: Node, made: Udf) -> str:
    """Return the name of the column of a result."""
    plain = record_names(node, Column(made.type, ""))[0]
    if plain != "value":
        return plain
    found = made.name.lower()
    for verb in VERBS:
        if found.startswith(verb):
            found = found.removeprefix(verb)
            return found if is_telling(found) else plain
    return "record" if isinstance(present(made.type), Tuple) else plain
