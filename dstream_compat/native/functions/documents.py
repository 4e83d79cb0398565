"""`json.loads` of texts that have a given shape."""

from __future__ import annotations

from ..access import item, key_of, learn_key
from ..expressions import Call, Expression, Literal, error, text
from ..json_uses import JsonUses
from ..raising import may_raise
from ..refusals import Code
from ..registry import function, method
from ..schemas import schema
from ..scope import Site, Value
from ..types import (
    Array,
    Dictionary,
    Nullable,
    Record,
    String,
    Type,
    nullable,
)


@function(
    "json.loads", "json.loads(text)", "`from_json`, if the caller gives the shape of the texts"
)
def loads(site: Site, s: Value) -> Expression:
    value = site.expect(s, String)
    given_shape = site.scope.run.json
    place = getattr(site.node, "lineno", 1), getattr(site.node, "col_offset", 0)
    shape = given_shape.read(*place) if isinstance(given_shape, JsonUses) else given_shape
    written = schema(shape) if shape is not None else None
    if shape is None or written is None or not isinstance(shape, Record | Array | Dictionary):
        site.refuse(Code.JSON_SHAPE, "the shape of the JSON texts is not known")
    site.accept(Code.JSON_SHAPE, _shape_text(given_shape))
    parsed = Call(nullable(shape), "from_json", (value, text(written)))
    return Call(shape, "coalesce", (parsed, error("not JSON of the given shape")))


def _shape_text(shape: Type | JsonUses | None) -> str:
    if not isinstance(shape, JsonUses):
        return "the texts must have the given shape"
    return f"the texts must have the shape that the code reads, {shape.shape}"


@method(Record, "get", 'd.get("k")', "the field of the shape, which is NULL for a missing key")
def get(site: Site, value: Expression, key: Value, default: Value | None = None) -> Expression:
    if isinstance(key, Literal) and isinstance(key.value, str):
        learn_key(site, value, key.value, optional=True)
    name = site.expect(key, String)
    kind = value.type
    if isinstance(kind, Record) and isinstance(name, Literal) and name.value in kind.names:
        result = key_of(value, kind.names.index(name.value))
    else:
        result = item(site, value, name)
    if default is None or (isinstance(default, Literal) and default.value is None):
        return result
    if isinstance(result.type, Nullable):
        site.refuse(Code.MISSING_KEY, "Spark cannot tell a missing key from None")
    if may_raise(site.expression(default)):
        site.refuse(Code.EVALUATION, "the default may raise, but is not used")
    return result
