"""Arrays of tuples that are made element by element: the elements become rows first."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from dstream_compat.native.expressions import Call, Column, Expression, OverArray, Struct, Variable
from dstream_compat.native.raising import may_raise

from ..dataframes.chains import Aliased
from ..dataframes.frames import Frame
from ..dataframes.naming import elements_name, is_telling, record_names
from ..program.graph import Node


def tuples_of_elements(frame: Frame, node: Node, array: Expression) -> Frame | None:
    """Return the rows of ``[(word, 1) for word in words]``, None if the array is none of these.

    `explode` and a `select` are easier to read than `inline` of a `transform`. What may raise stays
    in the array, where Spark computes all of it.
    """
    match array:
        case OverArray(function="transform", array=inner, variable=variable, body=Struct() as body):
            pass
        case _:
            return None
    condition = None
    match inner:
        case OverArray(function="filter", array=kept, variable=tested, body=test):
            inner, condition = kept, (test, tested)
    if may_raise(body) or (condition and may_raise(condition[0])):
        return None
    own = variable.name.rstrip("_0123456789")
    name = own if is_telling(own) else elements_name(node, inner)
    element = condition[1].type if condition else variable.type
    code = frame.code.call("select", Aliased(Call(element, "explode", (inner,)), name))
    if condition:
        code = code.call("where", Aliased(_with_column(*condition, name)))
    found = _with_column(body, variable, name)
    rows = Frame(code, Column(element, name), (name,), (name,))
    return rows.with_element(found, record_names(node, found))


def _with_column(node: Any, variable: Variable, name: str) -> Any:
    """Return an expression where a column takes the place of the variable."""
    match node:
        case Variable(name=found) if found == variable.name:
            return Column(node.type, name)
        case Expression():
            parts = {each.name: getattr(node, each.name) for each in fields(node)}
            return replace(node, **{k: _with_column(v, variable, name) for k, v in parts.items()})
        case tuple():
            return tuple(_with_column(each, variable, name) for each in node)
    return node
