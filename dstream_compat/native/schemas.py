"""Types as Spark writes them in schemas."""

from __future__ import annotations

from .types import (
    Array,
    Boolean,
    Dictionary,
    Double,
    Long,
    Nullable,
    Record,
    String,
    Tuple,
    Type,
)


def schema(kind: Type) -> str | None:
    """Return a type as Spark writes it, None if a schema has no such values."""
    match kind:
        case Nullable(inner=inner):
            return schema(inner)
        case Boolean():
            return "boolean"
        case Long(bits=bits):
            return "int" if bits == 32 else "bigint"
        case Double():
            return "double"
        case String():
            return "string"
        case Array(element=element, lazy=False):
            written = schema(element)
            return f"array<{written}>" if written else None
        case Dictionary(key=String(), value=value):
            written = schema(value)
            return f"map<string, {written}>" if written else None
        case Record(names=names, fields=fields) | Tuple(names=names, fields=fields):
            pairs = [(name, schema(field)) for name, field in zip(names, fields, strict=True)]
            written = ", ".join(f"{quote_name(name)}: {each}" for name, each in pairs)
            return f"struct<{written}>" if all(each for _, each in pairs) else None
    return None


def quote_name(name: str) -> str:
    """Return a name in backticks, if it needs them."""
    plain = name.isascii() and name.isidentifier()
    return name if plain else "`" + name.replace("`", "``") + "`"
