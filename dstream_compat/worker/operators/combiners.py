"""How pairs are combined by key: the user's functions for each of them, or C loops over batches.

All ways give what the general one gives, with the same types, keys and errors.
"""

from __future__ import annotations

# What Counter.update() calls; it leaves a line of the library in tracebacks, this does not.
from collections import _count_elements  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, Final, NamedTuple

from .constant_pairs import ATOMS, ConstantKey, ConstantValue, Pairs
from .recognised import Merge, is_identity, is_list, reducer_of
from .record_functions import Paired, UnderOneKey

_MISSING: Final = object()
_MOST_REPEATED: Final = 1_000_000
"""Records that are counted before lists of them are made: 8 MB, if all have one key."""

_CALLED: Final = "calls the function for each record: it is none of those recognised"
_NOT_CALLED: Final = "does not call the function for each record: it is"

Held = dict[Any, Any]
Adder = Callable[[Held, Iterable[Any]], None]


def _all(records: Iterable[Any]) -> Iterable[Any]:
    return records


def _parts(records: Iterable[Any]) -> Iterable[Any]:
    assert isinstance(records, (Paired, UnderOneKey))
    return records.parts


class Combining(NamedTuple):
    """A way to combine pairs into a dict.

    Parameters
    ----------
    text : str
        what it does and why, for users to read
    add : callable
        puts more records into the dict
    taken : callable
        what it takes of the pairs: all, or the parts that differ
    pairs : callable
        the combined pairs of a dict
    most : int, optional
        how many records it may put into one dict
    """

    text: str
    add: Adder
    taken: Callable[[Iterable[Any]], Iterable[Any]] = _all
    pairs: Callable[[Held], Iterable[tuple[Any, Any]]] = dict.items
    most: int | None = None

    @property
    def counts(self) -> bool:
        """Whether it is enough to know how often each part occurs."""
        return self.add is _count_elements


def way_of(create: Callable[[Any], Any], merge: Merge, pairs: Pairs | None) -> Combining:
    """Return the fastest way to combine pairs that is exact.

    Parameters
    ----------
    create, merge : callable
        first value to combiner; combiner and value to combiner
    pairs : ConstantValue or ConstantKey, optional
        what all pairs have in common
    """
    if is_identity(create):
        return _for_reduce(merge, pairs)
    if is_list(create, merge):
        return _listing(pairs)
    text = "calls the functions for each record: they are none of those recognised"
    return Combining(text, _create_and_merge(create, merge))


def way_for(create: Callable[[Any], Any], merge: Merge, records: Iterable[Any]) -> Combining:
    """Return the way for given records; see ``way_of``."""
    pairs = records.known if isinstance(records, (Paired, UnderOneKey)) else None
    return way_of(create, merge, pairs)


def adder_of(merge: Merge) -> Adder:
    """Return what merges combined pairs into a dict of combiners.

    Parameters
    ----------
    merge : callable
        two combiners to one
    """
    reducer = reducer_of(merge)
    if reducer is None:
        return _merge_values(merge)
    return lambda held, pairs: reducer.loop(held, pairs, merge)


def merging_text(merge: Merge) -> str:
    """Return how combined pairs are merged, for users to read; see ``adder_of``."""
    reducer = reducer_of(merge)
    return "by calls" if reducer is None else f"without calls: the function is {reducer.text}"


def _for_reduce(merge: Merge, pairs: Pairs | None) -> Combining:
    if isinstance(pairs, ConstantKey):
        text = f"reduces all values in C: each record gets the key {pairs.key!r}"
        return Combining(text, _under(pairs.key, merge), _parts)
    reducer = reducer_of(merge)
    if reducer is None:
        text = _CALLED
        return Combining(text, _merge_values(merge))
    if isinstance(pairs, ConstantValue) and type(pairs.value) is int and reducer.counts:
        text = (
            f"counts keys in C: each value is {pairs.value!r}, and the function is {reducer.text}"
        )
        return Combining(text, _count_elements, _parts, _multiply(pairs.value))
    text = f"{_NOT_CALLED} {reducer.text}"
    return Combining(text, adder_of(merge))


def _listing(pairs: Pairs | None) -> Combining:
    if isinstance(pairs, ConstantValue) and type(pairs.value) in ATOMS:
        text = f"counts keys in C, then makes the lists: each value is {pairs.value!r}"
        return Combining(text, _count_elements, _parts, _repeat(pairs.value), _MOST_REPEATED)
    return Combining("appends to lists", _append_all)


def _multiply(value: int) -> Callable[[Held], Iterable[tuple[Any, Any]]]:
    if value == 1:
        return dict.items
    return lambda held: ((key, count * value) for key, count in held.items())


def _repeat(value: Any) -> Callable[[Held], Iterable[tuple[Any, Any]]]:
    return lambda held: ((key, [value] * count) for key, count in held.items())


def _append_all(held: Held, pairs: Iterable[Any]) -> None:
    get = held.get
    for key, value in pairs:
        values = get(key)
        if values is None:
            held[key] = [value]
        else:
            values.append(value)


def _create_and_merge(create: Callable[[Any], Any], merge: Merge) -> Adder:
    def add(held: Held, pairs: Iterable[Any]) -> None:
        get, missing = held.get, _MISSING
        for key, value in pairs:
            old = get(key, missing)
            held[key] = create(value) if old is missing else merge(old, value)

    return add


def _merge_values(merge: Merge) -> Adder:
    def add(held: Held, pairs: Iterable[Any]) -> None:
        get, missing = held.get, _MISSING
        for key, value in pairs:
            old = get(key, missing)
            held[key] = value if old is missing else merge(old, value)

    return add


def _under(key: Any, merge: Merge) -> Adder:
    def add(held: Held, values: Iterable[Any]) -> None:
        rest = iter(values)
        if key not in held:
            for first in rest:
                held[key] = first
                break
        if key in held:
            held[key] = reduce(merge, rest, held[key])

    return add
