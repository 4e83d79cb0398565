"""Names the operator at which two jobs begin to differ, from the streams between them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from dstream_compat.testing.comparison import Equality, match_rows, without
from dstream_compat.testing.results import Results
from migrator.verify.comparison import Difference, Rules
from migrator.verify.pairing import STREAM, Pair


def first_operator(old: Results, new: Results, first: Difference, rules: Rules) -> str:
    """Return the first operator whose rows differ, up to the batch in which an output does.

    Parameters
    ----------
    old, new : Results
        Runs with their intermediate streams; without them, the operator is that of the output.
    """
    equality = Equality(rules.tolerance)
    ignore = [path.split(".") for path in rules.ignore]
    aligned = list(aligned_streams(old, new))
    for batch in range(1, first.batch + 1):
        for mine, other in aligned:
            sides = [
                [
                    without(row, ignore)
                    for rows in outcome.runs[number].get(batch, [])
                    for row in rows
                ]
                for outcome, number in ((old, mine), (new, other))
            ]
            only_old, only_new, _ = match_rows(sides[0], sides[1], equality)
            if only_old or only_new:
                return _operator_text(
                    old.outputs[mine].name, new.outputs[other].name, batch, first.batch
                )
    return of_output(first.pair)


def of_output(pair: Pair) -> str:
    """Return the operator of an output: that of the migrated job, where it is another one."""
    if not pair.old or not pair.new_operator:
        return pair.operator
    methods = [text.partition(" at ")[0] for text in (pair.operator, pair.new_operator)]
    if methods[0] == methods[1]:
        return pair.operator
    return f"{pair.new_operator} (in the migrated job only)"


def _operator_text(old: str, new: str, batch: int, shown_in: int) -> str:
    named = old if old == new else f"{old} ({new} in the migrated job)"
    return named if batch == shown_in else f"{named}, whose rows differ from batch {batch} on"


def aligned_streams(old: Results, new: Results) -> Iterator[tuple[int, int]]:
    """Yield pairs of streams that the same operators make, in the order in which jobs define them.

    Parameters
    ----------
    old, new : Results
        Runs with their intermediate streams.
    """
    sides = [
        [number for number, output in enumerate(outcome.outputs) if output.kind == STREAM]
        for outcome in (old, new)
    ]
    names = [
        [outcome.outputs[number].name.partition(" at ")[0] for number in numbers]
        for outcome, numbers in zip((old, new), sides, strict=True)
    ]
    matcher = difflib.SequenceMatcher(None, names[0], names[1], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and b - a == d - c):
            yield from zip(sides[0][a:b], sides[1][c:d], strict=True)
