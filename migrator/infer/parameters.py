"""What a function takes that something else calls, as far as that is certain."""

from __future__ import annotations

import ast
import builtins
import inspect

from migrator.infer.attributes import api_instance
from migrator.infer.program import FunctionInfo
from migrator.infer.values import Atom, Function, LocalObj, Partial, Ref, Value
from migrator.model.events import RddFunction

_BUILTINS = "builtins."


def parameters_of(value: Value | None) -> RddFunction | None:
    """Return what a value takes when it is called, None if that is not certain."""
    if value is None or value.unknown or len(value.atoms) != 1:
        return None
    (atom,) = value.atoms
    return _rdd_function(atom)


def function_behind(value: Value) -> FunctionInfo | None:
    """Return the function of the program that runs when a value is called, if there is one."""
    for atom in value.atoms:
        match atom:
            case Function(info) | Partial(Function(info)):
                return info
            case LocalObj():
                method = _call_method(atom)
                return None if method is None else method.info
    return None


def _rdd_function(atom: Atom) -> RddFunction | None:
    match atom:
        case Function(info, None) if info.owner is not None and "staticmethod" not in info.flags:
            return _of_function(atom, "unbound")
        case Function(_, owner):
            return _of_function(atom, "function" if owner is None else "method")
        case Partial(Function() as function, args, keywords):
            inner = _of_function(function, "partial")
            return (
                None
                if inner is None
                else _with_bound_arguments(inner, len(args), {name for name, _ in keywords})
            )
        case LocalObj(info) if api_instance(info) is None:
            method = _call_method(atom)
            return None if method is None else _of_function(method, "object")
        case Ref(path) if path.startswith(_BUILTINS) and not atom.probable:
            return _of_builtin(path.removeprefix(_BUILTINS))
        case _:
            return None


def _call_method(owner: LocalObj) -> Function | None:
    """Return the method that a call of an object calls."""
    classes = owner.info.ancestors()
    call_attribute = next((c.attrs["__call__"] for c in classes if "__call__" in c.attrs), None)
    if call_attribute is None or call_attribute.unknown or len(call_attribute.atoms) != 1:
        return None
    (method,) = call_attribute.atoms
    return Function(method.info, owner) if isinstance(method, Function) else None


def _of_function(function: Function, kind: str) -> RddFunction | None:
    info = function.info
    args = info.node.args
    # neither a wrapper nor *args show what they want
    if "decorated" in info.flags or args.vararg is not None:
        return None
    if any(default is None for default in args.kw_defaults):
        return None
    skipped = int(function.owner is not None)
    names = info.positional()[skipped:]
    required = max(len(names) - len(args.defaults), 0)
    return RddFunction(kind, tuple(names), required, isinstance(info.node, ast.AsyncFunctionDef))


def _with_bound_arguments(
    function: RddFunction, positional: int, keywords: set[str]
) -> RddFunction | None:
    """Return a function of which some arguments are given:
    those behind a keyword need keywords too.
    """
    names = function.parameters[positional:]
    required = set(names[: max(function.required - positional, 0)])
    end = next((i for i, name in enumerate(names) if name in keywords), len(names))
    if positional > len(function.parameters) or (end and required - keywords - set(names[:end])):
        return None
    left = len(required.intersection(names[:end]))
    return RddFunction(function.kind, names[:end], left, function.awaits)


def _of_builtin(name: str) -> RddFunction | None:
    try:
        parameters = inspect.signature(getattr(builtins, name)).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return None
    plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and not plain:
        # takes anything, such as print
        return RddFunction("builtin", ("args",), 0)
    required = sum(p.default is p.empty for p in plain)
    return RddFunction("builtin", tuple(p.name for p in plain), required)
