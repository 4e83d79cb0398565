"""Arguments of calls of the API: types that no version of Spark accepts, and functions of RDDs."""

from __future__ import annotations

import ast

from migrator.infer.parameters import parameters_of
from migrator.infer.program import Facts
from migrator.infer.values import Map, Seq, Tuple, Value
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


def find_wrong_type(key: str, call: ast.Call, facts: Facts) -> WrongType | None:
    """Return the first argument of a call that cannot be of the right type, or None."""
    if key in _STREAMS:
        for stream in call.args:
            given_type = type_of(stream, facts)
            if given_type is not None:
                return WrongType("", "streams", given_type)
    for name, wanted_type in _WANTED.get(key, {}).items():
        value = argument(key, call, name)
        given_type = None if value is None else type_of(value, facts)
        if given_type not in (None, wanted_type):
            return WrongType(name, wanted_type, str(given_type))
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
    function_argument = [k.value for k in call.keywords if k.arg == "func"] or call.args[:1]
    return (
        parameters_of(facts.values.get(function_argument[0]))
        if function_argument and facts.converged
        else None
    )
