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

from ..builder.builder import after_conditions, check_order
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
    frame: Frame, key: Expression | None, udf_code: str | Expression, column: Column
) -> Frame:
    """Return a frame with a column that is made of each row, beside its key.

    Parameters
    ----------
    frame : Frame
        the rows
    key : Expression or None
        the key, if records have one that stays
    udf_code : str or Expression
        what the column is made by, which may give several rows
    column : Column
        the type of the column, and the name that it gets if no part of the key has it
    """
    keys = () if key is None else leaves_of(key)
    *key_names, name = names = unique((*frame.names[: len(keys)], column.name))
    columns = [Aliased(*key) for key in zip(keys, key_names, strict=True)]
    last = f'{udf_code}.alias("{name}")' if isinstance(udf_code, str) else Aliased(udf_code, name)
    element, inner = of_column(Column(column.type, name))
    if key is not None:
        element = struct((over_columns(key, key_names), element))
    raising = {n for key, n in zip(keys, key_names, strict=True) if frame.may_raise(key)}
    code = frame.code.call("select", *columns, last)
    return Frame(code, element, unique((*key_names, *inner)), names, frozenset(raising))


def map_frame(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None,
    value: Expression,
) -> Frame:
    """Return the frame of `map`; of `mapValues`, if there is a key."""
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    udf_code = udf(builder, node, value, refusal)
    result = beside_key(frame, key, udf_code.code, Column(udf_code.type, _name(node, udf_code)))
    if udf_code.raises or frame.may_raise(value):
        result = replace(result, raising=result.raising | {result.columns[-1]})
    return result


def filter_frame(builder: Builder, node: Node, frame: Frame, refusal: Refusal) -> Frame:
    """Return the frame of `filter`."""
    builder.keeps(frame, node, frame.element)
    udf_code = udf(builder, node, frame.element, refusal)
    check_order(builder, node, frame, (frame.element,), udf_code.raises)
    kind = present(udf_code.type)
    code = udf_code.code
    if type(kind) in EMPTY:
        code = f"{code} != {EMPTY[type(kind)]}"
    elif not isinstance(kind, Boolean):
        text = f"the function of a filter gives {words(udf_code.type)}, and has no expression"
        raise NotExpressible("TYPE", text, node.call)
    return after_conditions(
        replace(frame, code=frame.code.call("where", code)), *leaves_of(frame.element)
    )


def flat_map_frame(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None,
    value: Expression,
) -> Frame:
    """Return the frame of `flatMap`; of `flatMapValues`, if there is a key."""
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    udf_code = udf(builder, node, value, refusal, flat=True)
    functions = builder.printer.functions
    if not isinstance(udf_code.type, Tuple):
        item = elements_name(node, Column(Array(udf_code.type), ""))
        code = f"{functions}.explode({udf_code.code})"
        return beside_key(frame, key, code, Column(udf_code.type, item))
    if key is not None or any(isinstance(field, Tuple) for field in udf_code.type.fields):
        text = "the elements are tuples" + " of tuples" * (key is None)
        raise NotExpressible("NESTED", text, node.call)
    names = udf_code.type.names
    aliases = ", ".join(f'"{name}"' for name in names)
    rows = frame.code.call("select", f"{functions}.inline({udf_code.code}).alias({aliases})")
    return Frame(rows, columns_of(udf_code.type, names), names, names)


def of_column(column: Column) -> tuple[Expression, tuple[str, ...]]:
    """Return a record that is a column, with the names of its
    values: those of a tuple are its fields.
    """
    element = _fields(column)
    leaves = [each for each in leaves_of(element) if isinstance(each, Column | GetField)]
    return element, unique(tuple(leaf.name for leaf in leaves))


def _fields(owner: Expression) -> Expression:
    if not isinstance(owner.type, Tuple):
        return owner
    pairs = zip(owner.type.fields, owner.type.names, strict=True)
    return struct(tuple(_fields(GetField(kind, owner, name)) for kind, name in pairs))


def _name(node: Node, udf_code: Udf) -> str:
    """Return the name of the column of a result."""
    plain = record_names(node, Column(udf_code.type, ""))[0]
    if plain != "value":
        return plain
    name = udf_code.name.lower()
    for verb in VERBS:
        if name.startswith(verb):
            name = name.removeprefix(verb)
            return name if is_telling(name) else plain
    return "record" if isinstance(present(udf_code.type), Tuple) else plain
