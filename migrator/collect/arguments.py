"""Arguments of calls of the API: types that no version of Spark accepts, and functions of RDDs."""

from __future__ import annotations

import ast
import builtins
import inspect

from migrator.infer.attributes import api_instance
from migrator.infer.program import Facts
from migrator.infer.values import Atom, Function, LocalObj, Map, Partial, Ref, Seq, Tuple, Value
from migrator.model.events import RddFunction, WrongType
from migrator.spark.signatures import argument

# the types that Spark asks for
_WANTED: dict[str, dict[str, str]] = {
    "KafkaUtils.createDirectStream": {"topics": "list", "kafkaParams": "dict"},
    "KafkaUtils.createStream": {"topics": "dict"},
    "KafkaUtils.createRDD": {"kafkaParams": "dict", "offsetRanges": "list"},
}
_STREAMS = frozenset({"StreamingContext.union", "DStream.union"})
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.JoinedStr: "str",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}
_METHODS = ("foreachRDD", "transform")
_BUILTINS = "builtins."


def find_wrong_type(key: str, call: ast.Call, facts: Facts) -> WrongType | None:
    """Return the first argument of a call that cannot be of the right type, or None."""
    if key in _STREAMS:
        for stream in call.args:
            given = type_of(stream, facts)
            if given is not None:
                return WrongType("", "streams", given)
    for name, wanted in _WANTED.get(key, {}).items():
        value = argument(key, call, name)
        given = None if value is None else type_of(value, facts)
        if given not in (None, wanted):
            return WrongType(name, wanted, str(given))
    return None


def type_of(node: ast.expr, facts: Facts) -> str | None:
    """Return the type of a value, or None if it may be anything."""
    if isinstance(node, ast.Starred):
        return None
    if isinstance(node, ast.Constant):
        return None if node.value is None else type(node.value).__name__
    if type(node) in _DISPLAYS:
        return _DISPLAYS[type(node)]
    value = facts.values.get(node)
    return type_of_value(value) if value is not None and facts.converged else None


def type_of_value(value: Value) -> str | None:
    """Return the type of a value of inference, or None if it may be anything."""
    if value.unknown or not value.atoms:
        return None
    if all(isinstance(a, Map) for a in value.atoms):
        return "dict"
    # a list, or something else that is made from one
    return "list" if all(isinstance(a, Seq | Tuple) for a in value.atoms) else None


def rdd_function(call: ast.Call, facts: Facts) -> RddFunction | None:
    """Return what a call of `foreachRDD` or `transform` of a stream is given, if certain."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
        return None
    given = [k.value for k in call.keywords if k.arg == "func"] or call.args[:1]
    value = facts.values.get(given[0]) if given else None
    if value is None or value.unknown or len(value.atoms) != 1 or not facts.converged:
        return None
    (atom,) = value.atoms
    return _described(atom)


def _described(atom: Atom) -> RddFunction | None:
    match atom:
        case Function(info, None) if info.owner is not None and "staticmethod" not in info.flags:
            return _of_function(atom, "unbound")
        case Function(_, owner):
            return _of_function(atom, "function" if owner is None else "method")
        case Partial(Function() as function, args, keywords):
            inner = _of_function(function, "partial")
            return (
                None if inner is None else _bound(inner, len(args), {name for name, _ in keywords})
            )
        case LocalObj(info) if api_instance(info) is None:
            found = next(
                (c.attrs["__call__"] for c in info.ancestors() if "__call__" in c.attrs), None
            )
            if found is None or found.unknown or len(found.atoms) != 1:
                return None
            (method,) = found.atoms
            if not isinstance(method, Function):
                return None
            return _of_function(Function(method.info, atom), "object")
        case Ref(path) if path.startswith(_BUILTINS) and not atom.probable:
            return _of_builtin(path.removeprefix(_BUILTINS))
        case _:
            return None


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


def _bound(function: RddFunction, given: int, keywords: set[str]) -> RddFunction | None:
    """Return a function with some arguments given: those behind a keyword need keywords too."""
    names = function.parameters[given:]
    required = set(names[: max(function.required - given, 0)])
    end = next((i for i, name in enumerate(names) if name in keywords), len(names))
    if given > len(function.parameters) or (end and required - keywords - set(names[:end])):
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
