"""Says when two encoded values are the same, and which rows two batches have in common.

Types count, and a float is exact unless there is a tolerance. Between DStreams and this package a
row is a row; a row of Structured Streaming stands for the tuple of its values.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .values import Value, fields

IGNORED: Final[Value] = ["ignored", "*"]
_LAX: Final = ('"dict"', '"written"')


@dataclass(frozen=True, slots=True)
class Equality:
    """When two values count as the same.

    Parameters
    ----------
    tolerance : float
        how far floats may differ, relative to the larger one and absolutely
    columns : bool
        whether the other value may be of columns: a row for a tuple, with its names for a named
        one, an array for a set, a struct for a dict, and a single column for its value
    rows : bool
        whether a row is the tuple of its values; with columns it always is
    flat : bool
        whether the tuples in a tuple may be columns beside the others
    """

    tolerance: float = 0.0
    columns: bool = False
    rows: bool = False
    flat: bool = True

    def same(self, value: Value, other: Value) -> bool:
        """Return whether two encoded values are the same."""
        if value == other:
            return True
        if self.columns and other[0] == "row" and len(other[1]) == 1:
            return self.same(value, other[1][0][1]) or self._of_a_kind(value, other)
        return self._of_a_kind(value, other)

    def _of_a_kind(self, value: Value, other: Value) -> bool:
        match (value[0], other[0]):
            case ("float", "float"):
                return self._close(float(value[1]), float(other[1]))
            case ("row", "row") if not self.columns and not self.rows:
                return self._equal_pairs(value[1], other[1])
            case ("tuple" | "row", "tuple" | "row") if self.rows and not self.columns:
                return self._each(fields(value), fields(other))
            case ("tuple", "tuple") | ("list", "list"):
                return self._each(value[1], other[1])
            case ("set", "set"):
                return self._any_order(value[1], other[1], self.same)
            case ("dict", "dict"):
                return self._any_order(value[1], other[1], self._same_pair)
            case ("object", "object"):
                return bool(value[1] == other[1]) and self._equal_pairs(value[2], other[2])
            case ("written", "written"):
                # the text is what the file has; one with ignored fields has none
                return bool(value[2] and value[2] == other[2]) or self.same(value[1], other[1])
        return self.columns and self._of_columns(value, other)

    def _of_columns(self, value: Value, other: Value) -> bool:
        match (value[0], other[0]):
            case ("tuple" | "row", "tuple" | "row"):
                return self._each(fields(value), fields(other)) or (
                    self.flat and self._each([*_leaves(value)], [*_leaves(other)])
                )
            case ("set", "list"):
                return self._any_order(value[1], other[1], self.same)
            case ("object", "row"):
                # a named tuple becomes a row with its names
                return self._equal_pairs(value[2], other[1])
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

    def _equal_pairs(self, values: Sequence[Any], others: Sequence[Any]) -> bool:
        names = [[name for name, _ in pairs] for pairs in (values, others)]
        return names[0] == names[1] and self._each(
            [item for _, item in values], [item for _, item in others]
        )

    def _any_order(
        self,
        values: Sequence[Value],
        others: Sequence[Value],
        same: Callable[[Value, Value], bool],
    ) -> bool:
        return len(values) == len(others) and len(_partners(values, others, same)) == len(values)

    def _same_pair(self, pair: Value, other: Value) -> bool:
        return self.same(pair[0], other[0]) and self.same(pair[1], other[1])


def _leaves(value: Value) -> Iterator[Value]:
    if value[0] not in ("tuple", "row"):
        yield value
        return
    for field in fields(value):
        yield from _leaves(field)


def without(value: Value, paths: Sequence[Sequence[str]]) -> Value:
    """Return a value in which the fields at some paths do not count.

    Parameters
    ----------
    value : encoded value
        the value
    paths : sequence
        each a sequence of names (of rows, dicts, objects) and positions (of tuples, lists, rows)
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


def match_rows(
    left: Sequence[Value], right: Sequence[Value], equality: Equality
) -> tuple[list[Value], list[Value], list[Value]]:
    """Split rows into those of the left only, of the right only, and of both, as multisets.

    A row that comes twice on one side and once on the other is in both once. Rows that are equal to
    the letter are matched first, so large batches that differ little take little time.

    Parameters
    ----------
    left, right : sequence of encoded values
        the rows
    equality : Equality
        when two of them are the same
    """
    texts = [Counter(map(json.dumps, side)) for side in (left, right)]
    exact = texts[0] & texts[1]
    both: list[Value] = [json.loads(text) for text in exact.elements()]
    # a dict may be a struct, and a text of a file any row: those are compared with all others
    alike = not (
        equality.columns and any(mark in text for side in texts for text in side for mark in _LAX)
    )
    groups: dict[str, tuple[list[Value], list[Value]]] = defaultdict(lambda: ([], []))
    for side, counts in enumerate(texts):
        for text in (counts - exact).elements():
            row = json.loads(text)
            groups[json.dumps(_coarse(row)) if alike else ""][side].append(row)
    only_left: list[Value] = []
    only_right: list[Value] = []
    for mine, others in groups.values():
        partner = _partners(mine, others, equality.same)
        taken = set(partner.values())
        both += [mine[number] for number in partner]
        only_left += [row for number, row in enumerate(mine) if number not in partner]
        only_right += [row for number, row in enumerate(others) if number not in taken]
    return only_left, only_right, both


def _partners(
    left: Sequence[Value], right: Sequence[Value], same: Callable[[Value, Value], bool]
) -> dict[int, int]:
    """Return a largest pairing: with a tolerance, the first that fits may be another's."""
    owner: dict[int, int] = {}
    free = list(range(len(right)))
    alone = []
    for number, value in enumerate(left):
        at = next((n for n, other in enumerate(free) if same(value, right[other])), None)
        if at is None:
            alone.append(number)
        else:
            owner[free.pop(at)] = number
    for number in alone if free else ():
        _make_room(number, left, right, same, owner)
    return {number: other for other, number in owner.items()}


def _make_room(
    number: int,
    left: Sequence[Value],
    right: Sequence[Value],
    same: Callable[[Value, Value], bool],
    owner: dict[int, int],
) -> None:
    """Find a partner by giving others another one, if that is possible."""
    reached: dict[int, int] = {}
    waiting = [number]
    for current in waiting:
        for other in range(len(right)):
            if other in reached or not same(left[current], right[other]):
                continue
            reached[other] = current
            if other in owner:
                waiting.append(owner[other])
                continue
            partner = {one: its for its, one in owner.items()}
            while True:
                one = reached[other]
                owner[other] = one
                if one == number:
                    return
                other = partner[one]


def _all_leaves(value: Value) -> Iterator[Value]:
    """Yield the leaves of a value, also those of objects, which may be rows."""
    if value[0] not in ("tuple", "row", "object"):
        yield value
        return
    parts = [part for _, part in value[2]] if value[0] == "object" else fields(value)
    for part in parts:
        yield from _all_leaves(part)


def _coarse(value: Value) -> Any:
    """Return something that is the same for all values that may be; others mostly have another."""
    match value:
        case ["written", record, _]:
            return "?" if record[0] != "tuple" else _coarse(record)
        case ["tuple" | "row", list()] | ["object", _, list()]:
            leaves = [_coarse(leaf) for leaf in _all_leaves(value)]
            return leaves[0] if len(leaves) == 1 else leaves
        case ["none" | "bool" | "str" | "int" | "bytes", *_]:
            return value
    return "?"
