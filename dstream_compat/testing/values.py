"""Encodes values exactly as JSON.

An encoded value is a list whose first element names its type.
"""

from __future__ import annotations

import datetime
import decimal
import json
import secrets
from collections.abc import Iterator
from typing import Any, Final

from .objects import shown_text, ways_to_read

Value = list[Any]
_PLAIN: Final = (
    *(type(None), bool, str, int, float, bytes, bytearray),
    *(datetime.datetime, datetime.date, datetime.time, datetime.timedelta, decimal.Decimal),
)
NOT_COMPARABLE: Final = "not comparable"


def encode(value: Any) -> Value:
    """Return a value as something that JSON can hold, without loss.

    Of a time zone the offset is kept. An object of another class is its class and its fields; one
    without fields is its text. If that is only an address, the value is like no other one.
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
            return ["row", [[name, _encode(item, inside)] for name, item in pairs]]
        case tuple() if hasattr(value, "_fields"):
            pairs = zip(value._fields, value, strict=True)
            return _object(value, [[name, _encode(item, inside)] for name, item in pairs])
        case tuple():
            return ["tuple", [_encode(item, inside) for item in value]]
        case list():
            return ["list", [_encode(item, inside) for item in value]]
        case dict():
            return ["dict", [[_encode(k, inside), _encode(v, inside)] for k, v in value.items()]]
        case set() | frozenset():
            return ["set", sorted((_encode(item, inside) for item in value), key=json.dumps)]
    if _shape(value):
        return ["list", [_encode(item, inside) for item in value.tolist()]]
    if isinstance(value, _PLAIN):  # a class of the job's own, such as an enumeration
        return _object(value, [["value", _plain(value)]])
    return _of_a_class(value, inside)


def _of_a_class(value: Any, inside: tuple[int, ...]) -> Value:
    """Encode an object by its fields, or if these cannot be compared by what pickle keeps."""
    best: Value | None = None
    for fields in ways_to_read(value):
        encoded = _object(value, [[name, _encode(field, inside)] for name, field in fields])
        if not has_incomparable(encoded):
            return encoded
        best = best or encoded
    if best is not None:
        return best
    if (shown := shown_text(value)) is None:
        return [NOT_COMPARABLE, type(value).__qualname__, secrets.token_hex(8)]
    return [type(value).__name__, shown] if shown else _object(value, [])


def incomparable(value: Value) -> Iterator[str]:
    """Yield the classes of the objects in an encoded value that are like no other."""
    waiting: list[Any] = [value]
    for item in waiting:
        match item:
            case [kind, str(name), str()] if kind == NOT_COMPARABLE:
                yield name
            case list():
                waiting += item


def has_incomparable(value: Value) -> bool:
    """Return whether an encoded value has an object that is like no other."""
    return next(incomparable(value), None) is not None


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
            return {decode(key): decode(item) for key, item in pairs}
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
    return row(*(decode(item) for _, item in pairs))


def written_record(record: Any) -> Value:
    """Return a record of a text file: Spark writes it as ``str`` does."""
    return ["written", encode(record), str(record)]


def fields(value: Value) -> list[Value]:
    """Return the values of an encoded row or tuple."""
    return [field for _, field in value[1]] if value[0] == "row" else value[1]


def readable(value: Value) -> str:
    """Return an encoded value as a reader knows it."""
    match value:
        case ["none"]:
            return "None"
        case ["ignored", mark]:
            return str(mark)
        case ["row", pairs]:
            return f"Row({', '.join(f'{name}={readable(item)}' for name, item in pairs)})"
        case ["tuple", [item]]:
            return f"({readable(item)},)"
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
            return f"{name}({', '.join(f'{field}={readable(item)}' for field, item in pairs)})"
        case ["bytes", text]:
            return repr(bytes.fromhex(text))
        case ["Decimal", text]:
            return f"Decimal('{text}')"
        case [kind, name, _] if kind == NOT_COMPARABLE:
            return f"{name}({NOT_COMPARABLE})"
    return f"{value[0]}({value[1]})"
