"""`json.loads` of texts that have a given shape."""

from __future__ import annotations

from ..access import item
from ..expressions import Call, Expression, Literal, error, text
from ..raising import may_raise
from ..refusals import Code
from ..registry import function, method
from ..scope import Site, Value
from ..types import (
    Array,
    Boolean,
    Double,
    Long,
    Map,
    Nullable,
    Record,
    String,
    Type,
    nullable,
)


def schema(kind: Type) -> str | None:
    """The type as the DDL of Spark, or None if JSON has no such values."""
    match kind:
        case Nullable(inner=inner):
            return schema(inner)
        case Boolean():
            return "boolean"
        case Long():
            return "bigint"
        case Double():
            return "double"
        case String():
            return "string"
        case Array(element=element, lazy=False):
            written = schema(element)
            return f"array<{written}>" if written else None
        case Map(key=String(), value=value):
            written = schema(value)
            return f"map<string, {written}>" if written else None
        case Record(names=names, fields=fields):
            pairs = [(name, schema(field)) for name, field in zip(names, fields, strict=True)]
            written = ", ".join(f"{quoted(name)}: {each}" for name, each in pairs)
            return f"struct<{written}>" if all(each for _, each in pairs) else None
    return None


def quoted(name: str) -> str:
    """A name in backticks, if it needs them."""
    plain = name.isascii() and name.isidentifier()
    return name if plain else "`" + name.replace("`", "``") + "`"


@function(
    "json.loads", "json.loads(text)", "`from_json`, if the caller gives the shape of the texts"
)
def loads(site: Site, s: Value) -> Expression:
    value = site.expect(s, String)
    shape = site.scope.run.json
    written = schema(shape) if shape is not None else None
    if shape is None or written is None or not isinstance(shape, Record | Array | Map):
        site.refuse(Code.JSON_SHAPE, "the shape of the JSON texts is not known")
    site.accept(Code.JSON_SHAPE, "the texts must have the given shape")
    parsed = Call(nullable(shape), "from_json", (value, text(written)))
    return Call(shape, "coalesce", (parsed, error("not JSON of the given shape")))


@method(Record, "get", 'd.get("k")', "the field of the shape, which is NULL for a missing key")
def get(site: Site, value: Expression, key: Value, default: Value | None = None) -> Expression:
    found = item(site, value, site.expect(key, String))
    if default is None or (isinstance(default, Literal) and default.value is None):
        return found
    if isinstance(found.type, Nullable):
        site.refuse(Code.JSON_SHAPE, "Spark cannot tell a missing key from None")
    if may_raise(site.expression(default)):
        site.refuse(Code.EVALUATION, "the default may raise, but is not used")
    return found
