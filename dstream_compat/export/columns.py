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

Kind = tuple[Any, ...]
"""A type while it is inferred: its name, and the types of its parts."""

_SIMPLE: Final = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    bytes: pa.binary(),
}
_UNKNOWN: Final = (None,)
"""The type of the items of an empty list."""
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
        kinds = [_kind_of_all(column) for column in columns]
        types = [*map(_arrow, kinds)]
    except _Untyped:
        pickles = [pickle.dumps(pair, 5) for pair in pairs]
        return pa.table({"pickled": pa.array(pickles, pa.binary())})
    both = zip(columns, kinds, types, strict=True)
    arrays = [pa.array(map(_converter(kind), column), type_) for column, kind, type_ in both]
    return pa.table(arrays, ["key", "value"])


def parquet_of(table: pa.Table) -> bytes:
    """Return a table as a file of Parquet."""
    file = io.BytesIO()
    parquet.write_table(table, file)
    return file.getvalue()


def _kind_of_all(values: Iterable[Any]) -> Kind:
    kind: Kind = _UNKNOWN
    for value in values:
        kind = _common_kind(kind, _kind_of(value))
    return kind


def _kind_of(value: Any) -> Kind:
    kind = type(value)
    if kind is tuple and value:
        return (tuple, *map(_kind_of, value))
    if kind is list:
        return (list, _kind_of_all(value))
    if kind is dict:
        return (dict, _kind_of_all(value), _kind_of_all(value.values()))
    fits = kind is not int or value in _INTEGERS
    if kind in _SIMPLE and fits and (kind is not str or _is_unicode(value)):
        return (kind,)
    raise _Untyped


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False  # half of a pair of surrogates
    return True


def _common_kind(left: Kind, right: Kind) -> Kind:
    """Return the type of values of two types."""
    if left == right or right == _UNKNOWN:
        return left
    if left == _UNKNOWN:
        return right
    if left[0] != right[0] or len(left) != len(right):
        raise _Untyped
    return (left[0], *map(_common_kind, left[1:], right[1:]))


def _arrow(kind: Kind) -> pa.DataType:
    name, *parts = kind
    types = [_arrow(part) for part in parts]
    if name is tuple:
        return pa.struct([(f"_{place}", type_) for place, type_ in enumerate(types, 1)])
    if name is list:
        return pa.list_(*types)
    if name is dict:
        return pa.map_(*types)
    if name is None:
        raise _Untyped
    return _SIMPLE[name]


def _converter(kind: Kind) -> Callable[[Any], Any]:
    """Return what makes of a value what PyArrow takes for it."""
    name, *parts = kind
    inner = [_converter(part) for part in parts]
    if name is tuple:
        return partial(_fields, inner)
    if name is list:
        return partial(_items, *inner)
    if name is dict:
        return partial(_entries, *inner)
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
