"""Names of columns and variables, taken from the code of the job."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import (
    Call,
    Cast,
    Column,
    Expression,
    GetField,
    GetItem,
    Literal,
    Method,
    When,
)
from dstream_compat.native.types import Tuple, maker_of
from dstream_compat.native.whitespace import RANGES

from ..program.graph import Node
from .frames import leaves_of

SHORTEST = 3
GENERIC = frozenset(
    (
        *("pair", "pairs", "row", "rows", "rec", "rdd", "record", "records", "elem", "element"),
        *("elements", "item", "items", "tup", "tuple", "args", "value", "values", "key", "keys"),
        *("col", "cols", "data", "obj", "val", "res", "result", "results", "stream", "dstream"),
        *("acc", "each", "one"),
    )
)
UNSINGULAR = ("ss", "us", "is", "news", "series", "status")


def record_names(node: Node, element: Expression) -> tuple[str, ...]:
    """Return the names of the values of a record that a function makes."""
    leaves = leaves_of(element)
    if maker_of(element.type) and isinstance(element.type, Tuple):
        return element.type.names
    if len(leaves) == 1:
        return (_hint(node) or _name_of(leaves[0]) or "value",)
    pairs = zip(leaves, default_names(len(leaves)), strict=True)
    return tuple(_name_of(leaf) or default for leaf, default in pairs)


def default_names(number: int) -> tuple[str, ...]:
    """Return the names of so many values that have none."""
    short = {1: ("value",), 2: ("key", "value")}
    return short.get(number) or tuple(f"field_{place + 1}" for place in range(number))


def elements_name(node: Node, array: Expression) -> str:
    """Return the name of an element of an array that is exploded."""
    return _hint(node) or _split_name(array) or "item"


def _hint(node: Node) -> str:
    """Return what the code calls a record of a stream: a parameter of what follows, or its name."""
    for child in node.children:
        for argument in child.call.args[:1]:
            if isinstance(argument, ast.Lambda) and len(argument.args.args) == 1:
                hint = argument.args.args[0].arg.strip("_")
                if is_telling(hint):
                    return hint
    return singular(node.name)


def is_telling(name: str) -> bool:
    """Return whether a name says what it is."""
    return len(name) >= SHORTEST and name not in GENERIC and name.isidentifier()


def singular(name: str) -> str:
    """Return the singular of a plural, empty if it is none."""
    word = name.lower()
    if not is_telling(word) or not word.endswith("s") or word.endswith(UNSINGULAR):
        return ""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    return word if is_telling(word) else ""


def plural(name: str) -> str:
    """Return the plural of the name of a record."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "sh", "ch")) else f"{name}s"


def _name_of(expression: Expression) -> str:
    match expression:
        case Column(name=name):
            return "" if name.startswith("_") and name[1:].isdigit() else name
        case Call(function="lower" | "upper" | "btrim" | "ltrim" | "rtrim" | "coalesce"):
            return _name_of(expression.arguments[0])
        case Call(function="length" | "size"):
            return expression.function
        case Method(object=owner):
            return _name_of(owner) if expression.name == "substr" else ""
        case Cast(operand=operand):
            return _name_of(operand)
        case When(branches=((_, value), *_)):
            return _name_of(value)
        case GetField(name=name):
            return name if is_telling(name) else ""
        case GetItem(index=Literal(value=str(key))):
            return key if key.isidentifier() else ""
    return ""


def _split_name(array: Expression) -> str:
    match array:
        case Call(function="array_remove" | "filter", arguments=(inner, *_)):
            return _split_name(inner)
        case Call(function="split", arguments=(_, Literal(value=str(separator)), *_)):
            return "word" if separator in (" ", f"[{RANGES}]+") else ""
    return ""
