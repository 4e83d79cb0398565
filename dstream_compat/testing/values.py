"""Encodes values exactly as JSON, and says when a record of a stream and a row are the same.

An encoded value is a list whose first element names its type.
"""

from __future__ import annotations

import datetime
import decimal
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

Value = list[Any]
_PLAIN: Final = (
    *(type(None), bool, str, int, float, bytes, bytearray),
    *(datetime.datetime, datetime.date, datetime.time, datetime.timedelta, decimal.Decimal),
)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")


def encode(value: Any) -> Value:
    """Return a value as something that JSON can hold, without loss.

    Of a time zone the offset is kept. An object of another class is its class and its fields; one
    without fields is its text.
    """
    return _encode(value, ())


def _encode(value: Any, inside: tuple[int, ...]) -> Value:
    if hasattr(value, "item") and type(value).__module__ == "numpy" and not _shape(value):
        value = value.item()
    if type(value) in _PLAIN:
        return _plain(value)
    if id(value) in inside:
        return ["cycle", type(value).__name__]
    inside = (*inside, id(value))
    match value:
        case tuple() if hasattr(value, "__fields__"):
            names = value.__fields__
            pairs = zip(names, value, strict=True)
            return ["row", [[name, _encode(one, inside)] for name, one in pairs]]
        case tuple() if hasattr(value, "_fields"):
            pairs = zip(value._fields, value, strict=True)
            return _object(value, [[name, _encode(one, inside)] for name, one in pairs])
        case tuple():
            return ["tuple", [_encode(one, inside) for one in value]]
        case list():
            return ["list", [_encode(one, inside) for one in value]]
        case dict():
            return ["dict", [[_encode(k, inside), _encode(v, inside)] for k, v in value.items()]]
        case set() | frozenset():
            return ["set", sorted((_encode(one, inside) for one in value), key=json.dumps)]
    if _shape(value):
        return ["list", [_encode(one, inside) for one in value.tolist()]]
    if isinstance(value, _PLAIN):  # a class of the job's own, such as an enumeration
        return _object(value, [["value", _plain(value)]])
    if fields := getattr(value, "__dict__", None):
        found = [[str(name), _encode(one, inside)] for name, one in sorted(fields.items())]
        return _object(value, found)
    return [type(value).__name__, _ADDRESS.sub("", str(value))]


def _object(value: Any, fields: list[Any]) -> Value:
    return ["object", type(value).__qualname__, fields]


def _shape(value: Any) -> Any:
    return getattr(value, "shape", None) if type(value).__module__ == "numpy" else None


def _plain(value: Any) -> Value:
    match value:
        case None:
            return ["none"]
        case bool():
            return ["bool", value]
        case str():
            return ["str", str(value)]
        case int():
            return ["int", int.__repr__(value)]
        case float():
            return ["float", float.__repr__(value)]
        case bytes() | bytearray():
            return ["bytes", value.hex()]
        case datetime.datetime() | datetime.date() | datetime.time():
            return [type(value).__name__, value.isoformat()]
        case datetime.timedelta():
            return ["timedelta", [value.days, value.seconds, value.microseconds]]
    return ["Decimal", str(value)]


def decode(value: Value) -> Any:
    """Return the value that :func:`encode` was given; raises ValueError for other objects."""
    match value:
        case ["none"]:
            return None
        case ["bool", bool(given)] | ["str", str(given)]:
            return given
        case ["int", text]:
            return int(text)
        case ["float", text]:
            return float(text)
        case ["bytes", text]:
            return bytes.fromhex(text)
        case ["tuple", values]:
            return tuple(map(decode, values))
        case ["list", values]:
            return list(map(decode, values))
        case ["set", values]:
            return set(map(decode, values))
        case ["dict", pairs]:
            return {decode(key): decode(one) for key, one in pairs}
        case ["row", pairs]:
            return _row(pairs)
        case ["datetime" | "date" | "time" as kind, text]:
            return getattr(datetime, kind).fromisoformat(text)
        case ["timedelta", parts]:
            return datetime.timedelta(*parts)
        case ["Decimal", text]:
            return decimal.Decimal(text)
        case ["written", record, _]:
            return decode(record)
    raise ValueError(f"cannot make a value of {value!r:.80}")


def _row(pairs: list[Any]) -> Any:
    from pyspark.sql import Row

    row = Row(*(name for name, _ in pairs))
    return row(*(decode(one) for _, one in pairs))


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
        case ["object", name, pairs]:
            return f"{name}({', '.join(f'{field}={readable(one)}' for field, one in pairs)})"
        case ["bytes", text]:
            return repr(bytes.fromhex(text))
        case ["Decimal", text]:
            return f"Decimal('{text}')"
    return f"{value[0]}({value[1]})"
