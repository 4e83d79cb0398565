"""Python's `x[i]`, `x[a:b]` and `x.name`."""

from __future__ import annotations

from .expressions import (
    Call,
    Expression,
    GetField,
    GetItem,
    Literal,
    Operator,
    Struct,
    error,
    guard,
    number,
    struct,
)
from .json_uses import JsonUses
from .makers import ROW
from .raising import may_raise
from .refusals import Code
from .scope import Site
from .types import (
    INT_MAX,
    INT_MIN,
    LENGTH,
    MAX_LENGTH,
    Array,
    Boolean,
    Dictionary,
    Long,
    NoneType,
    Nullable,
    Record,
    Shape,
    String,
    Tuple,
    int_of,
    words,
)


def field_of(value: Expression, place: int) -> Expression:
    """Return a field of a tuple or record."""
    assert isinstance(value.type, Shape)
    if isinstance(value, Struct):
        return value.fields[place]
    return GetField(value.type.fields[place], value, value.type.names[place])


def fields_of(value: Expression) -> tuple[Expression, ...]:
    """Return all fields of a tuple."""
    assert isinstance(value.type, Tuple)
    return tuple(field_of(value, place) for place in range(len(value.type.fields)))


def chosen_field(site: Site, value: Expression, place: int) -> Expression:
    """Return a field of a tuple; the others must not raise, as Spark does not compute them."""
    if isinstance(value, Struct):
        for other, each in enumerate(value.fields):
            if other != place and may_raise(each):
                site.refuse(
                    Code.EVALUATION, "Python computes the other fields, too; they may raise"
                )
    return field_of(value, place)


def item(site: Site, value: Expression, index: Expression) -> Expression:
    """Translate `value[index]`."""
    value, index = site.present(value, "items"), site.present(index, "use as an index")
    if isinstance(index, Literal) and isinstance(index.value, str):
        learn_key(site, value, index.value)
    elif isinstance(value.type, Record):
        site.tells(value, Array)
    else:
        value = site.indexed_value(value)
    match value.type, index.type:
        case Tuple(fields=fields), Long() if isinstance(index, Literal):
            if not -len(fields) <= index.value < len(fields):
                site.refuse(Code.ALWAYS_RAISES, f"the tuple has {len(fields)} fields")
            return chosen_field(site, value, index.value % len(fields))
        case Tuple(names=names, attributes=True, maker=maker), String() if (
            maker in ("", ROW) and isinstance(index, Literal) and index.value in names
        ):
            return chosen_field(site, value, names.index(index.value))
        case Record(names=names), String() if isinstance(index, Literal):
            if index.value not in names:
                site.refuse(Code.JSON_SHAPE, f"the shape has no key {index.value!r}")
            place = names.index(index.value)
            if value.type.path is not None and isinstance(value.type.fields[place], Nullable):
                site.refuse(Code.MISSING_KEY, f"{index.value!r} may be missing, says a `get`")
            return key_of(value, place)
        case Array(element=element, lazy=False), Long() as kind:
            if isinstance(value, Call) and value.function == "array" and may_raise(value):
                # Spark computes only the element that is taken.
                site.refuse(Code.EVALUATION, "Python computes the other elements; they may raise")
            if isinstance(index, Literal) and index.value < 0:
                return Call(element, "element_at", (value, index))
            if kind.lo >= 0 and kind.hi <= INT_MAX:
                return GetItem(element, value, index)
            site.refuse(Code.ARGUMENTS, "the index may be negative or too large")
        case String(), Long() if isinstance(index, Literal):
            return _character(value, index.value)
        case Dictionary(key=Long() | String() as key, value=kind), _ if type(index.type) is type(
            key
        ):
            result = Call(kind, "element_at", (value, index))
            exists = Call(Boolean(), "map_contains_key", (value, index))
            return guard(exists, result, "the key is not in the dictionary")
    site.refuse(
        Code.TYPE, f"an item of {words(value.type)} by {words(index.type)} is not translated"
    )


def learn_key(site: Site, value: Expression, name: str, optional: bool = False) -> None:
    """Note that an object of a JSON text has a key, where the uses tell which ones it has."""
    uses, path = site.scope.run.json, getattr(value.type, "path", None)
    if isinstance(uses, JsonUses) and path is not None and uses.key(path, name, optional):
        site.refuse(Code.JSON_SHAPE, f"the key {name!r} is known only now")


def key_of(value: Expression, place: int) -> Expression:
    """Return the value at a key of a JSON object. Spark reads what is missing as NULL."""
    field = field_of(value, place)
    if isinstance(field.type, Nullable):
        return field
    name = (
        f"no value of the given shape at the key {field.name!r}"
        if isinstance(field, GetField)
        else ""
    )
    return Call(field.type, "coalesce", (field, error(name)))


def _character(value: Expression, index: int) -> Expression:
    size = Call(LENGTH, "length", (value,))
    need = index if index >= 0 else -index - 1
    exists = Operator(Boolean(), ">", size, number(min(need, INT_MAX)))
    start = index + 1 if index >= 0 else index
    start = max(min(start, INT_MAX), INT_MIN + 1)
    character = Call(value.type, "substring", (value, number(start), number(1)))
    return guard(exists, character, "the index is beyond the end of the text")


def slice_of(site: Site, value: Expression, start: int | None, stop: int | None) -> Expression:
    """Translate `value[start:stop]` with constant ends."""
    value = site.indexed_value(site.present(value, "items"))
    if any(end is not None and abs(end) >= INT_MAX for end in (start, stop)):
        site.refuse(Code.ARGUMENTS, "the end of the slice is too large")
    if isinstance(value.type, Tuple) and not isinstance(value.type, Nullable):
        fields = tuple(range(len(value.type.fields)))[start:stop]
        if not fields:
            site.refuse(Code.TYPE, "an empty tuple has no counterpart")
        parts = tuple(field_of(value, place) for place in fields)
        if isinstance(value, Struct) and any(
            may_raise(each) for place, each in enumerate(value.fields) if place not in fields
        ):
            site.refuse(Code.EVALUATION, "Python computes the other fields, too; they may raise")
        return struct(parts)
    if isinstance(value.type, NoneType) or not isinstance(value.type, String | Array):
        site.refuse(Code.TYPE, f"a slice of {words(value.type)} is not translated")
    if isinstance(value.type, Array) and value.type.lazy:
        site.refuse(Code.TYPE, "a slice of an iterator raises in Python")
    texts = isinstance(value.type, String)
    name = "substring" if texts else "slice"
    size = Call(LENGTH, "length" if texts else "size", (value,))
    first = start or 0
    if first >= 0 and (stop is None or stop >= 0):
        count: Expression = number(INT_MAX if stop is None else max(stop - first, 0))
        if first == 0 and stop is None:
            return value
        if stop is None and not texts:
            count = size
        return Call(value.type, name, (value, number(first + 1), count))
    if first >= 0 and stop is not None and texts:
        # substring takes a negative length as none
        less = first - stop
        rest = Operator(int_of(-less, MAX_LENGTH - less), "-", size, number(less))
        return Call(value.type, name, (value, number(first + 1), rest))
    if first < 0 and stop is None and texts:
        return Call(value.type, name, (value, number(first), number(-first)))
    site.refuse(Code.ARGUMENTS, "these ends of the slice are not translated")
