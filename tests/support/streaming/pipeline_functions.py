"""Values and functions of generated pipelines: what workers import of them.

No function depends on the order of its input, and none tells apart what is one key: ``1``, ``1.0``
and ``True``, or a tuple and a named tuple.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from pyspark.resultiterable import ResultIterable


class Point(NamedTuple):
    """A named tuple: as a key it is the plain tuple."""

    x: Any
    y: Any


class Tag:
    """A class with equality and hash of its own; its weight is not part of them."""

    def __init__(self, name: str, weight: int = 0) -> None:
        self.name = name
        self.weight = weight

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Tag({self.name!r})"


def text(value: Any) -> str:
    """Return the same text for equal values, whatever their types and order."""
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    if isinstance(value, (bool, int, float)):
        return str(int(value))
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + ")"
    if isinstance(value, (list, set, frozenset, ResultIterable)):
        return "[" + ", ".join(sorted(map(text, value))) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{text(k)}: {text(v)}" for k, v in value.items())) + "}"
    return repr(value)


def bad(value: Any) -> Any:
    """Pass a record on, unless its text says that it is bad."""
    if "bad" in text(value):
        raise ValueError("a bad record")
    return value


# Records to records.


def wrapped(value: Any) -> Any:
    return (value, None)


def keyed(value: Any) -> Any:
    return value, text(value)


def counted(value: Any) -> Any:
    return value, 1


def by_size(value: Any) -> Any:
    return len(text(value)) % 3, value


def swapped(pair: Any) -> Any:
    return text(pair[1]), pair[0]


def even(value: Any) -> bool:
    return zlib.crc32(text(value).encode()) % 2 == 0


def twice(value: Any) -> list[Any]:
    return [value, value]


def parts(value: Any) -> Iterable[Any]:
    return value if isinstance(value, tuple) else ()


def nothing(value: Any) -> list[Any]:
    return []


# Values to values.


def boxed(value: Any) -> list[Any]:
    return [value]


def named(value: Any) -> dict[str, Any]:
    return {"value": value, "żółć": None}


def size(value: Any) -> int:
    return len(text(value))


def letters(value: Any) -> list[str]:
    return list(text(value)[:2])


# Two to one.


def smaller(a: Any, b: Any) -> Any:
    return min(a, b, key=text)


def larger(a: Any, b: Any) -> Any:
    return max(a, b, key=text)


def put(values: list[Any], value: Any) -> list[Any]:
    return sorted([*values, value], key=text)


def merged(values: list[Any], more: list[Any]) -> list[Any]:
    return sorted([*values, *more], key=text)


def positive(pair: Any) -> bool:
    return bool(pair[1] > 0)


# Partitions.


def passed(records: Iterator[Any]) -> Iterator[Any]:
    return records


def bagged(records: Iterator[Any]) -> list[str]:
    return [text(list(records))]


def indexed(index: int, records: Iterator[Any]) -> list[Any]:
    return [(index, text(record)) for record in records]


def by_text(key: Any) -> int:
    return len(text(key))


# States.


def calls(values: list[Any], state: Any) -> Any:
    return (state or 0) + 1


def total(values: list[Any], state: Any) -> Any:
    return (state or 0) + sum(map(size, values))


def recent(values: list[Any], state: Any) -> Any:
    return (state or 0) + len(values) if values else None


def thrice(values: list[Any], state: Any) -> Any:
    return None if state == 3 else (state or 0) + 1


def gathered(values: list[Any], state: Any) -> Any:
    return sorted([*map(text, values), *(state or [])])[:5]


# States of mapWithState: results do not depend on the order of a key's records, either.


def times_seen(key: Any, value: Any, state: Any) -> Any:
    if state.isTimingOut():
        return key, -state.get()
    state.update((state.getOption() or 0) + 1)
    return key, state.get()


def summed(key: Any, value: Any, state: Any) -> Any:
    if not state.isTimingOut():
        state.update((state.getOption() or 0) + size(value))
    return key, text(value)


def until_three(key: Any, value: Any, state: Any) -> Any:
    before = state.getOption() or 0
    if state.isTimingOut():
        return key, -1
    if before == 3:
        state.remove()
    else:
        state.update(before + 1)
    return key, before


def set_once(key: Any, value: Any, state: Any) -> Any:
    if state.isTimingOut():
        return key, -1
    if not state.exists():
        state.update(7)
    return key, state.get()


def only_looks(key: Any, value: Any, state: Any) -> Any:
    return key, -1 if state.isTimingOut() else int(state.exists())


def refuses_bad(key: Any, value: Any, state: Any) -> Any:
    bad(value)
    return summed(key, value, state)


def silent(key: Any, value: Any, state: Any) -> None:
    times_seen(key, value, state)


def at_evens(time: Any, key: Any, value: Any, state: Any) -> Any:
    seconds = int(time.timestamp())
    if state.isTimingOut():
        return key, -seconds
    state.update((state.getOption() or 0) + 1)
    return None if state.get() % 2 else (key, seconds)


def quiet_in_the_end(time: Any, key: Any, value: Any, state: Any) -> Any:
    return None if state.isTimingOut() else (time.timestamp(), summed(key, value, state))


# RDDs.


def distinct(rdd: Any) -> Any:
    return rdd.distinct()


def texts(rdd: Any) -> Any:
    return rdd.map(text).sortBy(str)


def again(rdd: Any) -> Any:
    return rdd.map(itself)


def itself(record: Any) -> Any:
    return record


def stamped(time: Any, rdd: Any) -> Any:
    seconds = time.timestamp()
    return rdd.map(lambda record: (seconds, text(record)))


def with_static(rdd: Any) -> Any:
    return rdd.map(text).union(rdd.context.parallelize(["static", "records"], 1))


def together(first: Any, second: Any) -> Any:
    return first.map(text).union(second.map(text))


def together_at(time: Any, first: Any, second: Any) -> Any:
    return stamped(time, first).union(second.map(keyed_text))


def keyed_text(value: Any) -> Any:
    return 0, text(value)


def all_together(rdds: Any) -> Any:
    return rdds[0].context.union([rdd.map(text) for rdd in rdds])


def count_it(rdd: Any) -> None:
    rdd.count()


Function = Callable[..., Any]
