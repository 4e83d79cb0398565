"""Arguments of a type that no version of Spark accepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.program import Facts
from migrator.infer.values import Map, Seq, Tuple, Value
from migrator.model.events import WrongType

# parameters by position and name, and the type that Spark asks for
_WANTED: dict[str, tuple[tuple[int, str, str], ...]] = {
    "KafkaUtils.createDirectStream": ((1, "topics", "list"), (2, "kafkaParams", "dict")),
    "KafkaUtils.createStream": ((3, "topics", "dict"),),
    "KafkaUtils.createRDD": ((1, "kafkaParams", "dict"), (2, "offsetRanges", "list")),
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


def find_wrong_type(key: str, call: ast.Call, facts: Facts) -> WrongType | None:
    """Return the first argument of a call that cannot be of the right type, or None."""
    if key in _STREAMS:
        for argument in call.args:
            given = type_of(argument, facts)
            if given is not None:
                return WrongType("", "streams", given)
    for argument, name, wanted in _checked(key, call):
        given = type_of(argument, facts)
        if given not in (None, wanted):
            return WrongType(name, wanted, str(given))
    return None


def _checked(key: str, call: ast.Call) -> Iterator[tuple[ast.expr, str, str]]:
    """Yield the arguments whose type is known to matter."""
    by_name = {k.arg: k.value for k in call.keywords}
    for position, name, wanted in _WANTED.get(key, ()):
        before = call.args[: position + 1]
        if name in by_name:
            yield by_name[name], name, wanted
        elif len(before) > position and not any(isinstance(a, ast.Starred) for a in before):
            yield before[position], name, wanted


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
