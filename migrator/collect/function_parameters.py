"""What the functions given to `foreachRDD` and `transform` take."""

from __future__ import annotations

import ast

from migrator.infer.parameters import parameters_of
from migrator.infer.program import Facts
from migrator.model.events import RddFunction

_METHODS = ("foreachRDD", "transform")


def rdd_function(call: ast.Call, facts: Facts) -> RddFunction | None:
    """Return what a call of `foreachRDD` or `transform` of a
    stream is given, if that is certain.
    """
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
        return None
    given = [k.value for k in call.keywords if k.arg == "func"] or call.args[:1]
    return parameters_of(facts.values.get(given[0])) if given and facts.converged else None
