"""Finds the rows that two batches have in common, as multisets."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from dstream_compat.testing.values import Value, unmatched
from migrator.verify.equality import Equality, coarse

_LAX: Final = ('"dict"', '"written"')


def match_rows(
    old: Sequence[Value], new: Sequence[Value], equality: Equality
) -> tuple[list[Value], list[Value], list[Value]]:
    """Splits rows into those of the old side only, of the new side only, and of both.

    A row that comes twice on one side and once on the other is in both once. Rows that are equal to
    the letter are matched first, so large batches that differ little take little time.

    Parameters
    ----------
    old, new
        Encoded values.
    equality
        When two of them are the same.
    """
    texts = [Counter(map(json.dumps, side)) for side in (old, new)]
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
            groups[coarse(row) if alike else ""][side].append(row)
    only_old: list[Value] = []
    only_new: list[Value] = []
    for mine, others in groups.values():
        missing, additional = unmatched(mine, others, equality.same)
        gone = Counter(map(json.dumps, missing))
        for row in mine:
            text = json.dumps(row)
            if gone[text]:
                gone[text] -= 1
            else:
                both.append(row)
        only_old += missing
        only_new += additional
    return only_old, only_new, both
