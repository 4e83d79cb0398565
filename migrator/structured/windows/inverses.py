"""Says whether the inverse function of a window takes away what its reduce function adds."""

from __future__ import annotations

import ast

from dstream_compat.native import Refusal, Translator
from dstream_compat.native.expressions import Expression, Literal, Operator, struct
from dstream_compat.native.types import Boolean

from ..dataframes.frames import leaves_of, shape_of, variables_of, with_leaves


def is_inverse(translator: Translator, subtract: ast.expr, value: Expression) -> bool:
    """Return whether a function gives the differences of all parts of two values.

    Parameters
    ----------
    translator : Translator
        translates the function
    value : Expression
        a value, whose parts the reduce function of the window is known to sum up
    """
    first, second = variables_of(value, "a"), variables_of(value, "b")
    translation = translator.map(subtract, first, second)
    pairs = zip(leaves_of(first), leaves_of(second), strict=True)
    expected = with_leaves(value, [Operator(a.type, "-", a, b) for a, b in pairs])
    return not isinstance(translation, Refusal) and shape_of(translation.expression) == shape_of(
        expected
    )


def drops_zeros(
    translator: Translator, function: ast.expr, key: Expression, value: Expression
) -> bool:
    """Return whether a filter of pairs drops those with the value 0, of counts from 0 on."""
    pair = struct((variables_of(key, "key"), variables_of(value, "value")))
    condition, number = translator.filter(function, pair), pair.fields[1]
    zero, one = (Literal(value.type, each) for each in (0, 1))
    positive = {(">", number, zero), ("!=", number, zero), (">=", number, one), ("<", zero, number)}
    expected = [shape_of(Operator(Boolean(), *each)) for each in positive]
    return not isinstance(condition, Refusal) and shape_of(condition.expression) in expected
