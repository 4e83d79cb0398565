"""The kinds of what calls return."""

from __future__ import annotations

import ast

from .branches import Names
from .folding import MOST, constant_of
from .infer import FUNCTIONS, STRINGS, KindInference
from .kinds import (
    BIG,
    BOOL,
    FLOAT,
    INT,
    INTEGERS,
    LONG,
    NONE,
    NUMBERS,
    STR,
    ZERO,
    Kinds,
    ListOf,
    TupleOf,
    UnknownKind,
    constant_kinds,
    merged,
    sum_of,
)

TO_INTEGERS = frozenset(("int", "round", "math.floor", "math.ceil"))


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
    if known == "round" and len(given) == 2 and not call.keywords:
        return given[0] - NONE
    if known in TO_INTEGERS and len(given) == 1 and not call.keywords:
        return _integer(here, call, given[0], names)
    if isinstance(known, str) and known in FUNCTIONS:
        return FUNCTIONS[known]
    if known == "abs" and len(given) == 1 and given[0] <= NUMBERS | NONE:
        return merged(given[0] - NONE, sum_of(ZERO, ast.Sub(), given[0], call))
    if known == "sum" and 1 <= len(given) <= 2 and not call.keywords:
        found = here.elements(call.args[0], names) - NONE
        start = given[1] if len(given) == 2 else ZERO
        if found | start <= NUMBERS:
            found = merged(found - BOOL, start, INT if found & {"bool"} else frozenset())
            return found - LONG | BIG if found & LONG else found
    if known in ("max", "min") and given and not {k.arg for k in call.keywords} - {"key"}:
        return here.elements(call.args[0], names) if len(given) == 1 else merged(*given)
    ordering = {k.arg for k in call.keywords} <= {"key", "reverse"}
    if known in ("sorted", "list", "reversed") and len(given) == 1 and ordering:
        return frozenset({ListOf(here.elements(call.args[0], names))})
    if known == "range" and all(each <= INTEGERS for each in given):
        return frozenset({ListOf(merged(INT, *given) - ZERO)})
    if known == "enumerate" and len(given) == 1 and not call.keywords:
        pair = TupleOf((INT, here.elements(call.args[0], names)))
        return frozenset({ListOf(frozenset({pair}))})
    if known == "zip" and given and not call.keywords:
        fields = tuple(here.elements(each, names) for each in call.args)
        return frozenset({ListOf(frozenset({TupleOf(fields)}))})
    raise UnknownKind("what this call returns is not known", call)


def _integer(here: KindInference, call: ast.Call, given: Kinds, names: Names) -> Kinds:
    """Return the kinds of a number or text as an integer: floats and texts may be of any length."""
    match call.args[0]:
        case ast.Call(func=function) if here.meaning(function) == "time.time":
            return INT
        case ast.BinOp(left=ast.Call(func=function), op=ast.Mult(), right=factor) if (
            here.meaning(function) == "time.time"
        ):
            number = constant_of(factor)
            return BIG if number is None or abs(number) > MOST else LONG
        case ast.BinOp(left=left, op=ast.Div()):
            whole = here.kinds(left, names) - NONE
            # a quotient of integers is no larger than what is divided
            is_small = given == FLOAT and whole <= {"int", "zero", "bool"}
            divisor = here.kinds(call.args[0].right, names) - NONE
            if is_small and divisor <= INTEGERS:
                return INT
        case ast.Constant(value=str(text)) if text.isascii() and text.isdigit():
            return constant_kinds(int(text))
    found = given - NONE
    if not found <= INTEGERS:
        return BIG
    return merged(found - BOOL, INT) if found & BOOL else found


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
