"""States as columns of Parquet: with types where these give back the same objects, else pickled."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import pyarrow as pa
from pyarrow import parquet

Pair = tuple[Any, Any]

_SIMPLE: Final = {bool: pa.bool_(), float: pa.float64(), bytes: pa.binary()}
_INTEGERS: Final = range(-(1 << 63), 1 << 63)


class _Untyped(Exception):
    """There is no type of Spark that gives back the same objects."""


def table_of(pairs: Sequence[Pair]) -> pa.Table:
    """Return states as a table of columns ``key`` and ``value``, or of one column ``pickled``.

    None, classes of the user, and those that derive from built-in ones have no type of Spark.

    Parameters
    ----------
    pairs : sequence of (key, state)
        the states

    Raises
    ------
    pickle.PicklingError
        if they have no type and cannot be pickled
    """
    columns = [[pair[place] for pair in pairs] for place in (0, 1)]
    try:
        kinds = [_checked(_type_of_all(column)) for column in columns]
    except _Untyped:
        pickles = [pickle.dumps(pair, 5) for pair in pairs]
        return pa.table({"pickled": pa.array(pickles, pa.binary())})
    arrays = [
        pa.array(map(_converter(kind), column), kind)
        for column, kind in zip(columns, kinds, strict=True)
    ]
    return pa.table(arrays, ["key", "value"])


def parquet_of(table: pa.Table) -> bytes:
    """Return a table as a file of Parquet."""
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def _checked(kind: pa.DataType) -> pa.DataType:
    """Return a type, all parts of which are known."""
    parts = [kind]
    for part in parts:
        if pa.types.is_null(part):
            raise _Untyped
        parts += [part.field(place).type for place in range(part.num_fields)]
    return kind


def _type_of_all(values: Iterable[Any]) -> pa.DataType:
    found = pa.null()
    for value in values:
        found = _joined(found, _type_of(value))
    return found


def _type_of(value: Any) -> pa.DataType:
    """Return the type of a value; the items of an empty list are null."""
    kind = type(value)
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind is int and value in _INTEGERS:
        return pa.int64()
    if kind is str and _is_unicode(value):
        return pa.string()
    if kind is tuple and value:
        return _struct([_type_of(each) for each in value])
    if kind is list:
        return pa.list_(_type_of_all(value))
    if kind is dict:
        return pa.map_(_type_of_all(value), _type_of_all(value.values()))
    raise _Untyped


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False  # half of a pair of surrogates
    return True


def _struct(kinds: Iterable[pa.DataType]) -> pa.DataType:
    return pa.struct([(f"_{place}", kind) for place, kind in enumerate(kinds, 1)])


def _joined(left: pa.DataType, right: pa.DataType) -> pa.DataType:
    """Return the type of values of two types."""
    if left.equals(right) or pa.types.is_null(right):
        return left
    if pa.types.is_null(left):
        return right
    if left.id != right.id or left.num_fields != right.num_fields:
        raise _Untyped
    if pa.types.is_struct(left):
        places = range(left.num_fields)
        return _struct(_joined(left.field(n).type, right.field(n).type) for n in places)
    if pa.types.is_list(left):
        return pa.list_(_joined(left.value_type, right.value_type))
    key = _joined(left.key_type, right.key_type)
    return pa.map_(key, _joined(left.item_type, right.item_type))


def _converter(kind: pa.DataType) -> Callable[[Any], Any]:
    """Return what makes of a value what PyArrow takes for it."""
    if pa.types.is_struct(kind):
        return partial(_fields, [_converter(field.type) for field in kind])
    if pa.types.is_list(kind):
        return partial(_items, _converter(kind.value_type))
    if pa.types.is_map(kind):
        return partial(_entries, _converter(kind.key_type), _converter(kind.item_type))
    return _same


def _same(value: Any) -> Any:
    return value


def _fields(converters: Sequence[Callable[[Any], Any]], value: Any) -> Any:
    both = enumerate(zip(converters, value, strict=True), 1)
    return {f"_{place}": convert(each) for place, (convert, each) in both}


def _items(convert: Callable[[Any], Any], value: Any) -> Any:
    return [convert(each) for each in value]


def _entries(of_key: Callable[[Any], Any], of_value: Callable[[Any], Any], value: Any) -> Any:
    return [(of_key(key), of_value(each)) for key, each in value.items()]
