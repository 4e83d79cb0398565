"""Compares what outputs gave in a batch: as multisets or in order, floats with a tolerance."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from .values import Value, fields


@dataclass(frozen=True)
class RowDifference:
    """How the rows of two batches differ; ``moved`` says that only their order does."""

    only_left: list[Value] = field(default_factory=list)
    only_right: list[Value] = field(default_factory=list)
    in_both: int = 0
    moved: int | None = None

    def __bool__(self) -> bool:
        return bool(self.only_left or self.only_right or self.moved is not None)


@dataclass(frozen=True)
class Comparison:
    """When two encoded values are the same.

    Parameters
    ----------
    tolerance : float
        by which floats may differ, absolute and relative to the larger one
    ignore : collection of str or int
        fields that are left out: names in rows, dicts and objects, positions in tuples
    """

    tolerance: float = 0.0
    ignore: Collection[str | int] = ()

    def same(self, value: Value, other: Value) -> bool:
        """Return whether two encoded values are the same: types count, but a row is a tuple."""
        match value, other:
            case (["float", one], ["float", two]):
                return one == two or self._close(float(one), float(two))
            case (["written", one, text], ["written", two, other_text]):
                return text == other_text or self.same(one, two)
            case ([("tuple" | "row"), _], [("tuple" | "row"), _]):
                return self._all(self._fields(value), self._fields(other))
            case (["list", one], ["list", two]):
                return self._all(one, two)
            case (["set", one], ["set", two]):
                return not self.difference(one, two)
            case (["dict", one], ["dict", two]):
                pairs = [["list", pair] for pair in self._known(one)]
                return not self.difference(pairs, [["list", pair] for pair in self._known(two)])
            case (["object", kind, one], ["object", other_kind, two]):
                left, right = (
                    [pair for pair in own if pair[0] not in self.ignore] for own in (one, two)
                )
                names = [name for name, _ in left] == [name for name, _ in right]
                own, others = ([given for _, given in pairs] for pairs in (left, right))
                return kind == other_kind and names and self._all(own, others)
        return value == other

    def difference(
        self, left: Sequence[Value], right: Sequence[Value], ordered: bool = False
    ) -> RowDifference:
        """Return how two batches differ, each row as often as it comes.

        Parameters
        ----------
        left, right : sequence of encoded values
            the batches
        ordered : bool
            whether the order of rows counts
        """
        if ordered and self._all(left, right):
            return RowDifference(in_both=len(left))
        only_left, only_right = self._unmatched(left, right)
        same = len(left) - len(only_left)
        if ordered and not only_left and not only_right:
            same_place = map(self.same, left, right)
            first = next(n for n, is_same in enumerate(same_place) if not is_same)
            return RowDifference(in_both=same, moved=first)
        return RowDifference(only_left, only_right, same)

    def _fields(self, value: Value) -> list[Value]:
        if value[0] == "row":
            return [given for name, given in value[1] if name not in self.ignore]
        return [given for n, given in enumerate(fields(value)) if n not in self.ignore]

    def _known(self, pairs: list[Value]) -> list[Value]:
        return [pair for pair in pairs if not (pair[0][0] == "str" and pair[0][1] in self.ignore)]

    def _all(self, values: Sequence[Value], others: Sequence[Value]) -> bool:
        return len(values) == len(others) and all(map(self.same, values, others))

    def _close(self, one: float, other: float) -> bool:
        return math.isclose(one, other, rel_tol=self.tolerance, abs_tol=self.tolerance)

    def _unmatched(
        self, left: Sequence[Value], right: Sequence[Value]
    ) -> tuple[list[Value], list[Value]]:
        """Return the rows without a partner; most have one that is written the same."""
        keys = Counter(map(json.dumps, right))
        rest = []
        for value in left:
            if keys[key := json.dumps(value)]:
                keys[key] -= 1
            else:
                rest.append(value)
        others = [json.loads(key) for key in keys.elements()]
        partner = self._partners(rest, others)
        taken = set(partner.values())
        return (
            [one for n, one in enumerate(rest) if n not in partner],
            [one for n, one in enumerate(others) if n not in taken],
        )

    def _partners(self, left: list[Value], right: list[Value]) -> dict[int, int]:
        """Return the largest pairing: with a tolerance, the first that fits may be another's."""
        owner: dict[int, int] = {}

        def found(one: int, seen: set[int]) -> bool:
            for other in range(len(right)):
                if other in seen or not self.same(left[one], right[other]):
                    continue
                seen.add(other)
                if other not in owner or found(owner[other], seen):
                    owner[other] = one
                    return True
            return False

        for one in range(len(left)):
            found(one, set())
        return {one: other for other, one in owner.items()}
