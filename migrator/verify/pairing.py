"""Finds the outputs of a job that belong to those of its migrated form."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

from dstream_compat.testing.results import Output, Results
from migrator.verify.functions import same_functions
from migrator.verify.states import same_states

STATE = "state"
STREAM = "stream"
STRUCTURED = "structured"
FOREACH = "foreachRDD"
SENT = "sent"
CALLS = "calls"
_FILES = "files"
PRINTED = "printed"
# what prints a batch, and what is given one, on either engine
_SAME_KIND = {"show": "pprint", "foreachBatch": FOREACH}
# files that Python wrote, whose names both jobs share; other names have lines of the jobs
_OF_PYTHON = "file "
# the time or the number of a batch in the name of a folder
_BATCH = re.compile(r"-\d+(?=\.[^/.]*$|$)")


@dataclass(frozen=True, slots=True)
class Pair:
    """An output of the old job and the one of the new job that stands for it.

    Parameters
    ----------
    old, new : tuple of int
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
    nums: tuple[int | None, int | None] = (None, None)

    def wrong(self) -> str:
        """Return what is wrong whatever the rows are, as a text: which job has no such output."""
        if not self.old:
            return "only the new job has this output"
        return self.moved if self.new else "only the old job has this output"

    def prints_others(self) -> bool:
        """Return whether the jobs print another number of the records of a batch."""
        return None not in self.nums and self.nums[0] != self.nums[1]


def has_columns(old: Results, new: Results) -> bool:
    """Return whether one job gives rows of columns for the values of the other."""
    return (old.engine == STRUCTURED) != (new.engine == STRUCTURED)


def pairs(old: Results, new: Results, alike: Callable[[Pair], bool]) -> list[Pair]:
    """Return pairs the outputs of each kind.

    Files that Python wrote are paired by their names, others by the order in which the jobs define
    them. A rewrite to Structured Streaming may be given other batches in its functions, and may
    leave out what never has a row: there what leaves the job is compared, state of the same form,
    and what functions are given where that says something. Its queries print at the same time, so
    lines that are printed are one output, and tables are paired with those that are the same, the
    rest in order.

    Parameters
    ----------
    alike : callable
        Whether the outputs of a pair give the same in all batches.
    """
    columns = has_columns(old, new)
    sides = [_by_kind(old, columns), _by_kind(new, columns)]
    result = []
    for kind in dict.fromkeys([*sides[0], *sides[1]]):
        mine, others = (side.get(kind, []) for side in sides)
        if columns and kind[0] == CALLS and not mine and kind[1] in old.uncounted:
            # a function of a batch calls what functions of streams have called
            continue
        if columns and kind[0] in (PRINTED, CALLS):
            result.append(_pair(old, new, tuple(mine), tuple(others)))
            continue
        if columns and kind[0] == STATE:
            states = same_states(
                old,
                new,
                mine,
                others,
                lambda one, other: alike(_pair(old, new, (one,), (other,))),
            )
            result += [_pair(old, new, (one,), (other,)) for one, other in states]
            continue
        if columns and kind[0] == FOREACH:
            by_function = same_functions(
                old, new, mine, others, lambda one, other: alike(_pair(old, new, (one,), (other,)))
            )
            result += [_pair(old, new, (one,), (other,)) for one, other in by_function]
            continue
        by_kind = [
            _pair(old, new, (one,), (other,))
            for one, other in (_the_same(old, new, mine, others, alike) if columns else ())
        ]
        mine = [one for one in mine if all(pair.old != (one,) for pair in by_kind)]
        others = [other for other in others if all(pair.new != (other,) for pair in by_kind)]
        # a query may send by a sink what a function of DStreams sends
        counts = (min if columns and kind[0] == SENT else max)(len(mine), len(others))
        for at in range(counts):
            by_kind.append(_pair(old, new, tuple(mine[at : at + 1]), tuple(others[at : at + 1])))
        result += by_kind
    if not columns:
        result = [replace(pair, moved=_moved_target(old, new, pair)) for pair in result]
    result.sort(key=lambda pair: (pair.kind == STATE, *_place(old, new, pair)))
    return [replace(one, number=number) for number, one in enumerate(result)]


def _the_same(
    old: Results,
    new: Results,
    mine: list[int],
    others: list[int],
    alike: Callable[[Pair], bool],
) -> list[tuple[int, int]]:
    """Return the outputs that are the same: by their target, their position, or at another."""
    if len(mine) < 2 and len(others) < 2:
        return []
    left, rest = list(mine), list(others)
    pairs_found = []

    def take(number: int, other: int) -> None:
        pairs_found.append((number, other))
        left.remove(number)
        rest.remove(other)

    for number in mine:
        target = _target(old.outputs[number])
        same = [other for other in rest if target and _target(new.outputs[other]) == target]
        if len(same) == 1:
            take(number, same[0])
    for number, other in [*zip(mine, others, strict=False)]:
        if number in left and other in rest and alike(_pair(old, new, (number,), (other,))):
            take(number, other)
    for number in list(left):
        same = [other for other in rest if alike(_pair(old, new, (number,), (other,)))]
        if same:
            take(number, same[0])
    return pairs_found


def _pair(old: Results, new: Results, mine: tuple[int, ...], others: tuple[int, ...]) -> Pair:
    outputs = [old.outputs[number] for number in mine], [new.outputs[number] for number in others]
    first = (outputs[0] or outputs[1])[0]
    # what the original promises must hold, whether the new job promises it or not
    ordered = all(map(_is_ordered, outputs[0] or outputs[1]))
    if has_columns(old, new):
        # a function sorts what it is given, and queries print at the same time
        unsure = first.kind in (FOREACH, PRINTED, CALLS)
        ordered = ordered and not (unsure or is_by_python(first))
    together = f"calls of {first.target}" if first.kind == CALLS else "printed lines"
    name = first.name if max(map(len, outputs)) < 2 else together
    operator = outputs[1][0].operator if outputs[1] else ""
    nums = [outputs[0][0].num, outputs[1][0].num] if all(outputs) else [None, None]
    return Pair(
        *(0, name, first.kind, first.operator, ordered, mine, others, operator),
        nums=(nums[0], nums[1]),
    )


def _by_kind(outcome: Results, columns: bool) -> dict[tuple[str, str], list[int]]:
    numbers_by_kind: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, output in enumerate(outcome.outputs):
        kind = kind_of(output)
        if columns and not _is_compared(kind, outcome, number):
            continue
        by_name = kind == _FILES and output.name.startswith(_OF_PYTHON)
        # a query has one function for several of DStreams
        own = output.target if columns and kind == CALLS else ""
        numbers_by_kind[kind, output.name if by_name else own].append(number)
    for numbers in numbers_by_kind.values():
        # an output shows up when it first gives something, and queries do so at the same time
        numbers.sort(key=lambda number: (outcome.outputs[number].place, number))
    return numbers_by_kind


def kind_of(output: Output) -> str:
    """Return the kind of an output on DStreams."""
    return _SAME_KIND.get(output.kind, output.kind)


def is_by_python(output: Output) -> bool:
    """Return whether the rows are lines that Python printed or wrote."""
    return output.kind == PRINTED or output.name.startswith(_OF_PYTHON)


def _is_ordered(output: Output) -> bool:
    """Return whether the order of rows is promised.

    That of lines which Python prints or writes is only where the records that came to it were
    sorted: most come from a loop over collected rows.
    """
    return output.from_sorted if is_by_python(output) else output.ordered


def gives_rows(outcome: Results, number: int) -> bool:
    """Return whether an output gave a row in any batch."""
    return any(rows for runs in outcome.runs[number].values() for rows in runs)


def _is_compared(kind: str, outcome: Results, number: int) -> bool:
    return kind == STATE or (kind != STREAM and gives_rows(outcome, number))


def _target(output: Output) -> str:
    return _BATCH.sub("", output.target)


def _moved_target(old: Results, new: Results, pair: Pair) -> str:
    """Return where the new job writes, if that is somewhere else."""
    if not pair.old or not pair.new:
        return ""
    mine, other = old.outputs[pair.old[0]].target, new.outputs[pair.new[0]].target
    if not mine or not other or mine == other:
        return ""
    return f"the old job writes it to {mine}, the new one to {other}"


def _place(old: Results, new: Results, pair: Pair) -> tuple[list[int], bool, int]:
    """Return the order of the old job; an output of the new one only comes where it has it."""
    if pair.old:
        return old.outputs[pair.old[0]].place, False, pair.old[0]
    return new.outputs[pair.new[0]].place, True, pair.new[0]
