"""Finds the outputs of a job that belong to those of its migrated form."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dstream_compat.testing.results import Output, Results
from migrator.verify.states import same_states

STATE = "state"
STREAM = "stream"
STRUCTURED = "structured"
_FILES = "files"
_PRINTED = "printed"
# what prints a batch, and what is given one, on either engine
_SAME_KIND = {"show": "pprint", "foreachBatch": "foreachRDD"}
# files that Python wrote, whose names both jobs share; other names have lines of the jobs
_OF_PYTHON = "file "
# the time or the number of a batch in the name of a folder
_BATCH = re.compile(r"-\d+(?=\.[^/.]*$|$)")


@dataclass(frozen=True, slots=True)
class Pair:
    """An output of the old job and the one of the new job that stands for it.

    Parameters
    ----------
    old, new
        Their numbers; several if what they give leaves the job together, none if there is no such
        output.
    """

    number: int
    name: str
    kind: str
    operator: str
    ordered: bool
    old: tuple[int, ...]
    new: tuple[int, ...]
    new_operator: str = ""
    moved: str = ""

    def wrong(self) -> str:
        """What is wrong whatever the rows are, as a text: which job has no such output."""
        if not self.old:
            return "only the new job has this output"
        return self.moved if self.new else "only the old job has this output"


def has_columns(old: Results, new: Results) -> bool:
    """Whether one job gives rows of columns for the values of the other."""
    return (old.engine == STRUCTURED) != (new.engine == STRUCTURED)


def not_compared(old: Results, new: Results, compared: Sequence[Pair]) -> list[str]:
    """What the old job has that is not compared, as notes of the report."""
    if not has_columns(old, new):
        return []
    known = {number for pair in compared for number in pair.old}
    return [
        f"the {output.name} was not compared: the query keeps none, or in another form"
        for number, output in enumerate(old.outputs)
        if output.kind == STATE and number not in known
    ]


def pairs(old: Results, new: Results, alike: Callable[[Pair], bool]) -> list[Pair]:
    """Pairs the outputs of each kind.

    Files that Python wrote are paired by their names, others by the order in which the jobs define
    them. A rewrite to Structured Streaming is given other batches in its functions, and may leave
    out what never has a row: there what leaves the job is compared, and state of the same form. Its
    queries print at the same time, so lines that are printed are one output, and tables are paired
    with those that are the same, the rest in order.

    Parameters
    ----------
    old, new
        What the jobs gave.
    alike
        Whether the outputs of a pair give the same in all batches.
    """
    columns = has_columns(old, new)
    sides = [_by_kind(old, columns), _by_kind(new, columns)]
    found = []
    for kind in dict.fromkeys([*sides[0], *sides[1]]):
        mine, others = (side.get(kind, []) for side in sides)
        if columns and kind[0] == _PRINTED:
            found.append(_pair(old, new, tuple(mine), tuple(others)))
            continue
        if columns and kind[0] == STATE:
            states = same_states(
                old,
                new,
                mine,
                others,
                lambda one, other: alike(_pair(old, new, (one,), (other,))),
            )
            found += [_pair(old, new, (one,), (other,)) for one, other in states]
            continue
        made = [
            _pair(old, new, (one,), (other,))
            for one, other in (_the_same(old, new, mine, others, alike) if columns else ())
        ]
        mine = [one for one in mine if all(pair.old != (one,) for pair in made)]
        others = [one for one in others if all(pair.new != (one,) for pair in made)]
        for at in range(max(len(mine), len(others))):
            made.append(_pair(old, new, tuple(mine[at : at + 1]), tuple(others[at : at + 1])))
        found += made
    if not columns:
        found = [replace(pair, moved=_moved(old, new, pair)) for pair in found]
    found.sort(key=lambda pair: (pair.kind == STATE, *_place(old, new, pair)))
    return [replace(one, number=number) for number, one in enumerate(found)]


def _the_same(
    old: Results,
    new: Results,
    mine: list[int],
    others: list[int],
    alike: Callable[[Pair], bool],
) -> list[tuple[int, int]]:
    """The outputs that are the same: with the same target, at the same position, or at another."""
    if len(mine) < 2 and len(others) < 2:
        return []
    left, rest = list(mine), list(others)
    found = []

    def take(one: int, other: int) -> None:
        found.append((one, other))
        left.remove(one)
        rest.remove(other)

    for one in mine:
        target = _target(old.outputs[one])
        same = [other for other in rest if target and _target(new.outputs[other]) == target]
        if len(same) == 1:
            take(one, same[0])
    for one, other in [*zip(mine, others, strict=False)]:
        if one in left and other in rest and alike(_pair(old, new, (one,), (other,))):
            take(one, other)
    for one in list(left):
        same = [other for other in rest if alike(_pair(old, new, (one,), (other,)))]
        if same:
            take(one, same[0])
    return found


def _pair(old: Results, new: Results, mine: tuple[int, ...], others: tuple[int, ...]) -> Pair:
    given = [old.outputs[number] for number in mine], [new.outputs[number] for number in others]
    first = (given[0] or given[1])[0]
    ordered = all(map(_is_ordered, given[0] or given[1])) and all(one.ordered for one in given[1])
    name = first.name if max(map(len, given)) < 2 else "printed lines"
    operator = given[1][0].operator if given[1] else ""
    return Pair(0, name, first.kind, first.operator, ordered, mine, others, operator)


def _by_kind(outcome: Results, columns: bool) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, output in enumerate(outcome.outputs):
        kind = _SAME_KIND.get(output.kind, output.kind)
        if columns and not _is_compared(kind, outcome, number):
            continue
        by_name = kind == _FILES and output.name.startswith(_OF_PYTHON)
        found[kind, output.name if by_name else ""].append(number)
    for numbers in found.values():
        # an output shows up when it first gives something, and queries do so at the same time
        numbers.sort(key=lambda number: (outcome.outputs[number].place, number))
    return found


def _is_ordered(output: Output) -> bool:
    """Whether the order of rows is promised.

    That of lines which Python prints or writes is not: most come from a loop over collected rows.
    """
    by_python = output.kind == _PRINTED or output.name.startswith(_OF_PYTHON)
    return output.ordered and not by_python


def _is_compared(kind: str, outcome: Results, number: int) -> bool:
    if kind == STATE:
        return True
    return kind not in (STREAM, "foreachRDD") and any(
        rows for runs in outcome.runs[number].values() for rows in runs
    )


def _target(output: Output) -> str:
    return _BATCH.sub("", output.target)


def _moved(old: Results, new: Results, pair: Pair) -> str:
    """Where the new job writes, if that is somewhere else."""
    if not pair.old or not pair.new:
        return ""
    mine, other = old.outputs[pair.old[0]].target, new.outputs[pair.new[0]].target
    if not mine or not other or mine == other:
        return ""
    return f"the old job writes it to {mine}, the new one to {other}"


def _place(old: Results, new: Results, pair: Pair) -> tuple[list[int], bool, int]:
    """The order of the old job; an output that only the new one has comes where it has it."""
    if pair.old:
        return old.outputs[pair.old[0]].place, False, pair.old[0]
    return new.outputs[pair.new[0]].place, True, pair.new[0]
