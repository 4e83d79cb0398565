"""The kinds of what calls return."""

from __future__ import annotations

import ast

from .branches import Names
from .infer import FUNCTIONS, STRINGS, KindInference
from .kinds import BOOL, INT, NONE, NUMBERS, STR, ZERO, Kinds, ListOf, TupleOf, UnknownKind, merged


def called(here: KindInference, call: ast.Call, names: Names) -> Kinds:
    """Return what a call returns.

    Raises
    ------
    UnknownKind
        if it is not known
    """
    function = call.func
    if isinstance(function, ast.Attribute) and here.meaning(function) is None:
        return _method(here, call, function, names)
    known = here.meaning(function)
    if isinstance(function, ast.Name) and function.id in names:
        known = None
    given = [here.kinds(each, names) for each in call.args]
    if isinstance(known, ast.FunctionDef | ast.Lambda) and not call.keywords:
        return here.call(known, given)
    if known == "round" and not call.keywords:
        return INT if len(given) == 1 else given[0] - NONE
    if isinstance(known, str) and known in FUNCTIONS:
        return FUNCTIONS[known]
    if known == "abs" and len(given) == 1 and given[0] <= NUMBERS | NONE:
        return given[0] - NONE
    if known == "sum" and 1 <= len(given) <= 2 and not call.keywords:
        found = here.elements(call.args[0], names) - NONE
        start = given[1] if len(given) == 2 else ZERO
        if found | start <= NUMBERS:
            return merged(found - BOOL, start, INT if found & {"bool"} else frozenset())
    if known in ("max", "min") and given and not {k.arg for k in call.keywords} - {"key"}:
        return here.elements(call.args[0], names) if len(given) == 1 else merged(*given)
    ordering = {k.arg for k in call.keywords} <= {"key", "reverse"}
    if known in ("sorted", "list", "reversed") and len(given) == 1 and ordering:
        return frozenset({ListOf(here.elements(call.args[0], names))})
    if known == "range":
        return frozenset({ListOf(INT)})
    if known == "enumerate" and len(given) == 1 and not call.keywords:
        pair = TupleOf((INT, here.elements(call.args[0], names)))
        return frozenset({ListOf(frozenset({pair}))})
    if known == "zip" and given and not call.keywords:
        fields = tuple(here.elements(each, names) for each in call.args)
        return frozenset({ListOf(frozenset({TupleOf(fields)}))})
    raise UnknownKind("what this call returns is not known", call)


def _method(here: KindInference, call: ast.Call, function: ast.Attribute, names: Names) -> Kinds:
    owner, method = function.value, function.attr
    if isinstance(owner, ast.Name) and owner.id == here.state and owner.id not in names:
        if call.args or call.keywords:
            raise UnknownKind("a state has no such method", call)
        match method:
            case "get":
                return here.kept
            case "getOption":
                return merged(here.kept, NONE)
            case "exists" | "isTimingOut":
                return BOOL
        raise UnknownKind("a state has no such method", call)
    kinds = here.kinds(owner, names) - NONE
    if kinds == STR and method in STRINGS:
        return STRINGS[method]
    if kinds == {"time"} and method in ("strftime", "isoformat"):
        return STR
    if kinds and all(isinstance(each, ListOf) for each in kinds):
        if method in ("count", "index"):
            return INT
        if method == "copy":
            return kinds
    raise UnknownKind("what this method returns is not known", call)
