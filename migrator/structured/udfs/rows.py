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
from ..dataframes.frames import Frame, leaves_of, over_columns, unique
from ..dataframes.naming import elements_name, is_telling, record_names
from ..program.graph import Node
from ..refusals import NotExpressible
from .build import Udf, udf

if TYPE_CHECKING:
    from ..builder.builder import Builder

VERBS = ("parse_", "to_", "get_", "extract_", "make_", "as_", "read_", "split_", "find_")
EMPTY: dict[type[Type], str] = {String: '""', Long: "0", Double: "0.0"}


def mapped(
    builder: Builder,
    node: Node,
    frame: Frame,
    refusal: Refusal,
    key: Expression | None = None,
    value: Expression | None = None,
) -> Frame:
    """Return the frame of `map`; of `mapValues`, if there are a key and a value."""
    value = frame.element if value is None else value
    keys = [] if key is None else leaves_of(key)
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    made = udf(builder, node, value, refusal)
    names = unique((*frame.names[: len(keys)], _name(node, made)))
    columns = [Aliased(*each) for each in zip(keys, names, strict=False)]
    code = frame.code.call("select", *columns, f'{made.code}.alias("{names[-1]}")')
    element, inner = of_column(Column(made.type, names[-1]))
    if key is not None:
        element = struct((over_columns(key, names[:-1]), element))
    raising = {n for each, n in zip(keys, names, strict=False) if frame.may_raise(each)}
    raising |= {names[-1]} if made.raises or frame.may_raise(value) else set()
    return Frame(code, element, unique((*names[:-1], *inner)), names, frozenset(raising))


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
    key: Expression | None = None,
    value: Expression | None = None,
) -> Frame:
    """Return the frame of `flatMap`; of `flatMapValues`, if there are a key and a value."""
    value = frame.element if value is None else value
    keys = [] if key is None else leaves_of(key)
    builder.keeps(frame, node, *([] if key is None else [key]), value)
    made = udf(builder, node, value, refusal, flat=True)
    functions = builder.printer.functions
    if isinstance(made.type, Tuple):
        if key is not None or any(isinstance(each, Tuple) for each in made.type.fields):
            text = "the elements are tuples" + " of tuples" * (key is None)
            raise NotExpressible("NESTED", text, node.call)
        names = made.type.names
        aliases = ", ".join(f'"{name}"' for name in names)
        code = frame.code.call("select", f"{functions}.inline({made.code}).alias({aliases})")
        pairs = zip(made.type.fields, names, strict=True)
        return Frame(code, struct(tuple(Column(*each) for each in pairs)), names, names)
    item = elements_name(node, Column(Array(made.type), ""))
    names = unique((*frame.names[: len(keys)], item))
    columns = [Aliased(*each) for each in zip(keys, names, strict=False)]
    last = f'{functions}.explode({made.code}).alias("{names[-1]}")'
    code = frame.code.call("select", *columns, last)
    element: Expression = Column(made.type, names[-1])
    if key is not None:
        element = struct((over_columns(key, names[:-1]), element))
    raising = frozenset(n for each, n in zip(keys, names, strict=False) if frame.may_raise(each))
    return Frame(code, element, names, names, raising)


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
