"""Says when two encoded values are the same: with a tolerance, and fields that do not count.

Between DStreams and this package types are exact; a row of Structured Streaming stands for the
tuple of its values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dstream_compat.testing.values import Value, fields, unmatched

IGNORED: Final[Value] = ["ignored", "*"]


@dataclass(frozen=True, slots=True)
class Equality:
    """When two values count as the same.

    Parameters
    ----------
    tolerance
        How far floats may differ, relative to the larger one and absolutely.
    columns
        Whether the other value may be of columns: a row for a tuple, an array for a set, a struct
        for a dict, and a single column for its value.
    """

    tolerance: float = 0.0
    columns: bool = False

    def same(self, value: Value, other: Value) -> bool:
        """Whether two values are the same; types count."""
        if value == other:
            return True
        if self.columns and other[0] == "row" and len(other[1]) == 1:
            return self.same(value, other[1][0][1]) or self._of_a_kind(value, other)
        return self._of_a_kind(value, other)

    def _of_a_kind(self, value: Value, other: Value) -> bool:
        match (value[0], other[0]):
            case ("float", "float"):
                return self._close(float(value[1]), float(other[1]))
            case ("row", "row") if not self.columns:
                return self._named(value[1], other[1])
            case ("tuple", "tuple") | ("list", "list"):
                return self._each(value[1], other[1])
            case ("set", "set"):
                return self._any_order(value[1], other[1], self.same)
            case ("dict", "dict"):
                return self._any_order(value[1], other[1], self._same_pair)
            case ("object", "object"):
                return bool(value[1] == other[1]) and self._named(value[2], other[2])
            case ("written", "written"):
                return self.same(value[1], other[1])
        return self.columns and self._of_columns(value, other)

    def _of_columns(self, value: Value, other: Value) -> bool:
        match (value[0], other[0]):
            case ("tuple" | "row", "tuple" | "row"):
                # tuples in tuples may be flat columns
                return self._each(fields(value), fields(other)) or self._each(
                    [*_leaves(value)], [*_leaves(other)]
                )
            case ("set", "list"):
                return self._any_order(value[1], other[1], self.same)
            case ("dict", "row"):
                pairs = [[["str", name], one] for name, one in other[1]]
                return self._any_order(value[1], pairs, self._same_pair)
            case ("written", "row"):
                text = [one for _, one in other[1]] == [["str", value[2]]]
                return text or self.same(value[1], other)
        return False

    def _close(self, value: float, other: float) -> bool:
        if math.isnan(value) or math.isnan(other):
            return math.isnan(value) and math.isnan(other)
        if self.tolerance == 0:
            return value == other and math.copysign(1, value) == math.copysign(1, other)
        return math.isclose(value, other, rel_tol=self.tolerance, abs_tol=self.tolerance)

    def _each(self, values: Sequence[Value], others: Sequence[Value]) -> bool:
        return len(values) == len(others) and all(map(self.same, values, others))

    def _named(self, values: Sequence[Any], others: Sequence[Any]) -> bool:
        names = [[name for name, _ in pairs] for pairs in (values, others)]
        return names[0] == names[1] and self._each(
            [one for _, one in values], [one for _, one in others]
        )

    def _any_order(
        self,
        values: Sequence[Value],
        others: Sequence[Value],
        same: Callable[[Value, Value], bool],
    ) -> bool:
        return len(values) == len(others) and not unmatched(values, others, same)[0]

    def _same_pair(self, pair: Value, other: Value) -> bool:
        return self.same(pair[0], other[0]) and self.same(pair[1], other[1])


def _leaves(value: Value) -> Iterator[Value]:
    if value[0] not in ("tuple", "row"):
        yield value
        return
    for one in fields(value):
        yield from _leaves(one)


def without(value: Value, paths: Sequence[Sequence[str]]) -> Value:
    """A value in which the fields at some paths do not count.

    Parameters
    ----------
    value
        The value.
    paths
        Each a sequence of names (of rows, dicts, objects) and positions (of tuples, lists, rows).
    """
    for path in paths:
        value = _without(value, path)
    return value


def _without(value: Value, path: Sequence[str]) -> Value:
    if not path:
        return IGNORED
    step, rest = path[0], path[1:]
    match value:
        case ["tuple" | "list" as kind, list(values)] if step.isdigit() and int(step) < len(values):
            at = int(step)
            return [kind, [*values[:at], _without(values[at], rest), *values[at + 1 :]]]
        case ["row", list(pairs)]:
            return [
                "row",
                [
                    [name, _without(one, rest) if step in (name, str(at)) else one]
                    for at, (name, one) in enumerate(pairs)
                ],
            ]
        case ["dict", list(pairs)]:
            changed = [[key, _without(one, rest) if _is(key, step) else one] for key, one in pairs]
            return ["dict", changed]
        case ["object", name, list(pairs)]:
            kept = [[field, _without(one, rest) if field == step else one] for field, one in pairs]
            return ["object", name, kept]
        case ["written", record, _]:
            changed = _without(record, path)
            return value if changed == record else ["written", changed, ""]
    return value


def _is(key: Value, step: str) -> bool:
    return key[0] in ("str", "int") and str(key[1]) == step


def coarse(value: Value) -> str:
    """A text that is the same for all values that may be; others mostly have another."""
    return json.dumps(_coarse(value))


def _coarse(value: Value) -> Any:
    match value:
        case ["written", record, _]:
            return "?" if record[0] != "tuple" else _coarse(record)
        case ["tuple" | "row", list()]:
            leaves = [_coarse(one) for one in _leaves(value)]
            return leaves[0] if len(leaves) == 1 else leaves
        case ["none" | "bool" | "str" | "int" | "bytes", *_]:
            return value
    return "?"
