"""Comprehensions, and names for the parts of a value."""

from __future__ import annotations

import ast
from dataclasses import replace

from ..access import fields_of
from ..expressions import Call, Expression, GetItem, Operator, Variable, guard, number
from ..functions.arrays import over
from ..refusals import Code
from ..registry import syntax
from ..scope import Site, Value
from ..truth import not_none
from ..types import LENGTH, Array, Boolean, Tuple, words


@syntax(ast.ListComp, ast.GeneratorExp)
def comprehension(here: Site, node: ast.ListComp | ast.GeneratorExp) -> Value:
    """Return ``transform`` of a ``filter``."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        here.refuse(Code.SYNTAX, "a comprehension with several `for` is not translated")
    (loop,) = node.generators
    array = here.expect(here.scope.value(loop.iter), Array)
    assert isinstance(array.type, Array)
    name = loop.target.id if isinstance(loop.target, ast.Name) else "pair"
    element = Variable(array.type.element, here.scope.free_name(name))
    lazy = isinstance(node, ast.GeneratorExp)
    array = replace(array, type=replace(array.type, lazy=lazy))
    inner = here.scope.binding(target_names(here, loop.target, element))
    for test in loop.ifs:
        condition = inner.condition(test)
        array = over(array, "filter", element, condition)
        inner = inner.with_known_values(not_none(condition))
    return over(array, "transform", element, inner.expression(node.elt))


def target_names(here: Site, target: ast.expr, value: Expression) -> dict[str, Value]:
    """Return the names that an assignment of a value to a target binds."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    here.tells(value, Array)
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(value.type, Tuple):
            if len(parts) != len(value.type.fields):
                here.refuse(Code.ALWAYS_RAISES, "the number of names is not that of the values")
            names: dict[str, Value] = {}
            for part, field in zip(parts, fields_of(value), strict=True):
                names.update(target_names(here, part, field))
            return names
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(value.type, Array):
            element = value.type.element
            size = Operator(Boolean(), "==", Call(LENGTH, "size", (value,)), number(len(parts)))
            names = {}
            for place, part in enumerate(parts):
                item = GetItem(element, value, number(place))
                names.update(
                    target_names(here, part, guard(size, item, "the list has another length"))
                )
            return names
    here.refuse(Code.SYNTAX, f"an assignment of {words(value.type)} to this is not translated")
