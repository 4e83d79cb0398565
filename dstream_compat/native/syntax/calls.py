"""Calls of known functions, of methods, and of functions of the source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from ..access import fields_of, item
from ..expressions import Expression, Struct, struct
from ..makers import Maker
from ..names import Getter, Known, Local
from ..raising import always_evaluated, may_raise
from ..refusals import Code
from ..registry import FUNCTIONS, METHODS, KnownFunction, call, syntax
from ..scope import Scope, Site, Value
from ..truth import truth
from ..types import Array, CaseMapped, Record, String, Tuple, Type, Unsettled, present, words
from .statements import result_of

_CLASSES: dict[str, type[Type]] = {"str": String}


@syntax(ast.Call)
def call_(here: Site, node: ast.Call) -> Value:
    """Return a call: the function, then its arguments, from left to right."""
    owner = None
    if isinstance(node.func, ast.Attribute):
        receiver = here.scope.value(node.func.value)
        owner = receiver if isinstance(receiver, Expression) else None
    function = here.scope.value(node.func) if owner is None else None
    arguments = tuple(value for each in node.args for value in _argument_values(here, each))
    keywords: dict[str, Value] = {}
    for each in node.keywords:
        if each.arg is None:
            here.refuse(Code.SYNTAX, "`**` in a call is not translated")
        keywords[each.arg] = here.scope.value(each.value)
    if owner is not None:
        assert isinstance(node.func, ast.Attribute)
        return call_method(here, owner, node.func.attr, arguments, keywords)
    assert function is not None
    return call_value(here, function, arguments, keywords)


def _argument_values(here: Site, node: ast.expr) -> tuple[Value, ...]:
    """Return the values of an argument: of `*` and a tuple, its fields."""
    if not isinstance(node, ast.Starred):
        return (here.scope.value(node),)
    value = here.scope.expression(node.value)
    if not isinstance(value.type, Tuple):
        here.refuse(Code.SYNTAX, "`*` of another value than a tuple is not translated")
    return fields_of(value)


def call_method(
    here: Site,
    owner: Expression,
    name: str,
    arguments: tuple[Value, ...],
    keywords: Mapping[str, Value],
) -> Value:
    """Call a method of a value."""
    if isinstance(owner.type, CaseMapped) and (CaseMapped, name) not in METHODS:
        owner = here.expression(owner)
    kind = present(owner.type)
    if isinstance(kind, Unsettled):
        if name == "get":
            here.tells(owner, Record)
        elif hasattr(str, name) and not hasattr(list, name):
            here.tells(owner, String)
        kind = String()
    entry = METHODS.get((type(kind), name))
    if entry is None:
        here.refuse(Code.UNKNOWN_FUNCTION, f"{name} of {words(kind)} is not translated")
    owner = here.present(owner, f"method {name}")
    return _call_registered(here, entry, (owner, *arguments), keywords)


def _call_registered(
    here: Site, entry: KnownFunction, arguments: tuple[Value, ...], keywords: Mapping[str, Value]
) -> Value:
    result = call(entry, here, arguments, keywords)
    if result is None:
        here.refuse(Code.ARGUMENTS, f"{entry.name} with these arguments is not translated")
    return result


def call_value(
    here: Site, function: Value, arguments: tuple[Value, ...], keywords: Mapping[str, Value]
) -> Value:
    """Call a function with values."""
    match function:
        case Local():
            return call_local(here, function, arguments, keywords)
        case Getter(keys=keys) if len(arguments) == 1 and not keywords:
            value = here.expression(arguments[0])
            items = tuple(item(here, value, key) for key in keys)
            return items[0] if len(items) == 1 else struct(items)
        case Known(name=name):
            owner, _, last = name.rpartition(".")
            if name in FUNCTIONS:
                return _call_registered(here, FUNCTIONS[name], arguments, keywords)
            if owner in _CLASSES and arguments:
                value = here.expect(arguments[0], _CLASSES[owner])
                return call_method(here, value, last, arguments[1:], keywords)
            here.refuse(Code.UNKNOWN_FUNCTION, f"{name} is not translated")
        case Maker():
            return _make_struct(here, function, arguments, keywords)
    here.refuse(Code.UNKNOWN_FUNCTION, "the value that is called is not translated")


def _make_struct(
    here: Site, maker: Maker, arguments: tuple[Value, ...], keywords: Mapping[str, Value]
) -> Struct:
    """Return a named tuple or a `Row`."""
    names = maker.fields
    if names is None:
        if arguments or not keywords:
            here.refuse(Code.ARGUMENTS, "a Row without names is not translated")
        if len({each.lower() for each in keywords}) < len(keywords):
            here.refuse(Code.ARGUMENTS, "the names of columns have no case")
        names = tuple(keywords)
    fields = dict(zip(names, arguments, strict=False))
    if len(arguments) > len(names) or fields.keys() & keywords or {*fields, *keywords} != {*names}:
        here.refuse(Code.ALWAYS_RAISES, f"{maker.name} does not take these arguments")
    values = tuple(here.expression((fields | {**keywords})[name]) for name in names)
    kind = Tuple(names, tuple(each.type for each in values), True, maker.name)
    return Struct(kind, values)


def call_condition(here: Site, function: Value, *arguments: Value) -> Expression:
    """Return the truth of what a function returns, where only the truth is used."""
    if isinstance(function, Local):
        return call_local(here, function, arguments, {}, Scope.condition)
    return truth(here, here.expression(call_value(here, function, arguments, {})))


def call_local(
    here: Site,
    function: Local,
    arguments: tuple[Value, ...],
    keywords: Mapping[str, Value],
    evaluate: Callable[[Scope, ast.expr], Expression] = Scope.expression,
) -> Expression:
    """Call a function of the source: its body, with the arguments in place of the parameters."""
    run, node = here.scope.run, function.node
    if function in run.pending:
        here.refuse(Code.RECURSION, f"{function.name} calls itself")
    names = _parameters(here, function, arguments, keywords)
    scope = Scope(names, function.environment, run, here.scope.known)
    run.pending.append(function)
    try:
        if isinstance(node, ast.Lambda):
            result = evaluate(scope, node.body)
        else:
            result = result_of(node, scope, evaluate)
    finally:
        run.pending.pop()
    # Python computes the arguments before the call.
    evaluated = {*always_evaluated(result)}
    for name, value in names.items():
        if isinstance(value, Expression) and may_raise(value) and value not in evaluated:
            here.refuse(Code.EVALUATION, f"the argument {name} may raise, but is not always used")
    return result


def _parameters(
    here: Site, function: Local, arguments: tuple[Value, ...], keywords: Mapping[str, Value]
) -> dict[str, Value]:
    """Return the values of the parameters of a call."""
    parameters = function.node.args
    if parameters.vararg or parameters.kwarg:
        here.refuse(Code.ARGUMENTS, f"{function.name} takes any number of arguments")
    only_positional = [each.arg for each in parameters.posonlyargs]
    positional = [*only_positional, *(each.arg for each in parameters.args)]
    every = [*positional, *(each.arg for each in parameters.kwonlyargs)]
    names: dict[str, Value] = dict(zip(positional, arguments, strict=False))
    free = set(every) - set(names) - set(only_positional)
    if len(arguments) > len(positional) or not free.issuperset(keywords):
        here.refuse(Code.ALWAYS_RAISES, f"{function.name} does not take these arguments")
    names.update(keywords)
    for name in every:
        if name not in names:
            if name not in function.defaults:
                here.refuse(Code.ALWAYS_RAISES, f"the argument {name} is missing")
            default = function.defaults[name]
            if default is None:
                here.refuse(Code.UNKNOWN_NAME, f"the default of {name} is not a known constant")
            names[name] = default
    for value in names.values():
        if isinstance(value, Expression) and isinstance(value.type, Array) and value.type.lazy:
            here.refuse(Code.TYPE, "an iterator is passed on; it can be read only once")
    return names
