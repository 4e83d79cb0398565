"""Says when a record of a DStream and a row of a frame are the same.

Values cross from the processes that run jobs as lists whose first element names a type.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

Value = list[Any]


def encode(value: Any) -> Value:
    """Return a value as something that JSON can hold, without loss."""
    if hasattr(value, "item") and type(value).__module__ == "numpy":
        value = value.item()
    match value:
        case None:
            return ["none"]
        case bool() | str():
            return [type(value).__name__, value]
        case int() | float():
            return [type(value).__name__, repr(value)]
        case bytes() | bytearray():
            return ["bytes", value.hex()]
        case tuple() if hasattr(value, "__fields__"):
            return ["row", [[n, encode(v)] for n, v in zip(value.__fields__, value, strict=True)]]
        case tuple():
            return ["tuple", [encode(one) for one in value]]
        case list():
            return ["list", [encode(one) for one in value]]
        case dict():
            return ["dict", [[encode(k), encode(v)] for k, v in value.items()]]
        case set() | frozenset():
            return ["set", [encode(one) for one in value]]
        case datetime.datetime() | datetime.date():
            return [type(value).__name__, value.isoformat()]
    return [type(value).__name__, str(value)]


def written(record: Any) -> Value:
    """Return a record of a text file: Spark writes it as ``str`` does."""
    return ["written", encode(record), str(record)]


def same_record(record: Value, row: Value) -> bool:
    """Return whether a record is a row: a tuple its values, anything else its only value."""
    if record[0] == "written":
        text = row[0] == "row" and [value for _, value in row[1]] == [["str", record[2]]]
        return text or same_record(record[1], row)
    if row[0] == "row" and len(row[1]) == 1 and same(record, row[1][0][1]):
        return True
    return same(record, row)


def same(value: Value, other: Value) -> bool:
    """Return whether two values are the same: types count, and a float is exact.

    A tuple is a struct, a list an array, a set an array in any order, a dict a map or a struct.
    """
    kinds = value[0], other[0]
    if value[0] in ("tuple", "row") and other[0] in ("tuple", "row"):
        return same_all(fields(value), fields(other), ordered=True)
    if value[0] == "set" and other[0] in ("set", "list"):
        return same_all(value[1], other[1], ordered=False)
    if kinds == ("list", "list"):
        return same_all(value[1], other[1], ordered=True)
    if value[0] == "dict" and other[0] in ("dict", "row"):
        pairs = other[1] if other[0] == "dict" else [[["str", k], v] for k, v in other[1]]
        return same_all(value[1], pairs, ordered=False, by=same_pair)
    return value == other


def same_pair(pair: Value, other: Value) -> bool:
    return same(pair[0], other[0]) and same(pair[1], other[1])


def fields(value: Value) -> list[Value]:
    return [field for _, field in value[1]] if value[0] == "row" else value[1]


def same_all(
    values: Sequence[Value],
    others: Sequence[Value],
    ordered: bool,
    by: Callable[[Value, Value], bool] = same,
) -> bool:
    """Return whether two collections have the same elements, as often."""
    if len(values) != len(others):
        return False
    if ordered:
        return all(map(by, values, others))
    return not unmatched(values, others, by)[0]


def unmatched(
    values: Sequence[Value], others: Sequence[Value], by: Callable[[Value, Value], bool]
) -> tuple[list[Value], list[Value]]:
    """Return what one collection has and the other has not, each way."""
    left, missing = list(others), []
    for value in values:
        found = next((i for i, other in enumerate(left) if by(value, other)), None)
        if found is None:
            missing.append(value)
        else:
            del left[found]
    return missing, left


def readable(value: Value) -> str:
    """Return an encoded value as a reader knows it."""
    match value:
        case ["none"]:
            return "None"
        case ["row", pairs]:
            return f"Row({', '.join(f'{name}={readable(one)}' for name, one in pairs)})"
        case ["tuple", [one]]:
            return f"({readable(one)},)"
        case ["tuple" | "list" | "set" as kind, values]:
            marks = {"tuple": "()", "list": "[]", "set": "{}"}[kind]
            return marks[0] + ", ".join(map(readable, values)) + marks[1]
        case ["dict", pairs]:
            return "{" + ", ".join(f"{readable(k)}: {readable(v)}" for k, v in pairs) + "}"
        case ["written", record, _]:
            return readable(record)
        case ["str" | "bool", text]:
            return repr(text)
        case ["int" | "float", text]:
            return str(text)
    return f"{value[0]}({value[1]})"
