"""Finds the outputs of a job that belong to those of its migrated form."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from migrator.verify.outcome import Outcome, Output

STATE = "state"
STREAM = "stream"
STRUCTURED = "structured"
# what prints a batch, and what is given one, on either engine
_SAME_KIND = {"show": "pprint", "foreachBatch": "foreachRDD"}
# files that Python wrote, whose names both jobs share; other names have lines of the jobs
_OF_PYTHON = "file "


@dataclass(frozen=True, slots=True)
class Pair:
    """An output of the old job and the one of the new job that stands for it."""

    number: int
    name: str
    kind: str
    operator: str
    ordered: bool
    old: int | None
    new: int | None
    new_operator: str = ""

    def missing(self) -> str:
        """Which job has no such output, as a text; empty if both have it."""
        if self.old is None:
            return "only the new job has this output"
        return "only the old job has this output" if self.new is None else ""


def has_columns(old: Outcome, new: Outcome) -> bool:
    """Whether one job gives rows of columns for the values of the other."""
    return (old.engine == STRUCTURED) != (new.engine == STRUCTURED)


def pairs(old: Outcome, new: Outcome) -> list[Pair]:
    """Pairs the outputs of each kind in the order in which the jobs define them.

    Files that Python wrote are paired by their names. A rewrite to Structured Streaming is given
    other batches in its functions, and may leave out what never has a row: there only what leaves
    the job is compared.
    """
    columns = has_columns(old, new)
    sides = [_by_kind(old, columns), _by_kind(new, columns)]
    found = []
    for kind in dict.fromkeys([*sides[0], *sides[1]]):
        mine, other = (side.get(kind, []) for side in sides)
        for at in range(max(len(mine), len(other))):
            one = mine[at] if at < len(mine) else None
            two = other[at] if at < len(other) else None
            output = old.outputs[one] if one is not None else new.outputs[two or 0]
            ordered = _is_ordered(output) and (two is None or new.outputs[two].ordered)
            operator = "" if two is None else new.outputs[two].operator
            found.append(
                Pair(0, output.name, output.kind, output.operator, ordered, one, two, operator)
            )
    found.sort(key=lambda pair: (pair.kind == STATE, *_place(pair)))
    return [replace(one, number=number) for number, one in enumerate(found)]


def _by_kind(outcome: Outcome, columns: bool) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, output in enumerate(outcome.outputs):
        kind = _SAME_KIND.get(output.kind, output.kind)
        if columns and not _is_compared(kind, outcome, number):
            continue
        by_name = kind == "files" and output.name.startswith(_OF_PYTHON)
        found[kind, output.name if by_name else ""].append(number)
    return found


def _is_ordered(output: Output) -> bool:
    """Whether the order of rows is promised.

    That of lines which Python prints or writes is not: most come from a loop over collected rows.
    """
    by_python = output.kind == "printed" or output.name.startswith(_OF_PYTHON)
    return output.ordered and not by_python


def _is_compared(kind: str, outcome: Outcome, number: int) -> bool:
    leaves = kind not in (STATE, STREAM, "foreachRDD")
    return leaves and any(rows for runs in outcome.runs[number].values() for rows in runs)


def _place(pair: Pair) -> tuple[int, int]:
    """The order of the old job; an output that only the new one has comes where it has it."""
    return (pair.old if pair.old is not None else pair.new or 0), pair.old is None
