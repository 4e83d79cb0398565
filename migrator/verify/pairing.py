"""Finds the outputs of a job that belong to those of its migrated form."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import Value, fields
from migrator.verify.programs import nodes

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
# columns have arrays for these
_ARRAYS = ("list", "set")
# windows that take off what leaves them, by the position and name of the function that does
_INVERSE = {"reduceByKeyAndWindow": (1, "invFunc"), "reduceByWindow": (1, "invReduceFunc")}
_COUNTS = ("countByWindow", "countByValueAndWindow")


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
    return _Pairing(old, new, alike, has_columns(old, new)).pairs()


@dataclass(frozen=True, slots=True)
class _Pairing:
    """The outputs of two runs, of which those are paired that belong together."""

    old: Results
    new: Results
    alike: Callable[[Pair], bool]
    columns: bool

    def pairs(self) -> list[Pair]:
        """Return the pairs."""
        old, new, columns = self.old, self.new, self.columns
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
            if columns and kind[0] in (STATE, FOREACH):
                counterparts = self._states if kind[0] == STATE else self._functions
                result += [self._pair_of(*each) for each in counterparts(mine, others).items()]
                continue
            same = self._the_same(mine, others) if columns else {}
            result += [self._pair_of(*each) for each in same.items()]
            mine = [one for one in mine if one not in same]
            others = [other for other in others if other not in same.values()]
            # a query may send by a sink what a function of DStreams sends
            counts = (min if columns and kind[0] == SENT else max)(len(mine), len(others))
            for at in range(counts):
                result.append(_pair(old, new, tuple(mine[at : at + 1]), tuple(others[at : at + 1])))
        if not columns:
            result = [replace(pair, moved=_moved_target(old, new, pair)) for pair in result]
        result.sort(key=lambda pair: (pair.kind == STATE, *_place(old, new, pair)))
        return [replace(one, number=number) for number, one in enumerate(result)]

    def _pair_of(self, one: int, other: int) -> Pair:
        return _pair(self.old, self.new, (one,), (other,))

    def _are_alike(self, one: int, other: int) -> bool:
        return self.alike(self._pair_of(one, other))

    def _the_same(self, mine: list[int], others: list[int]) -> dict[int, int]:
        """Return the outputs that are the same: by their target, their position, or at another."""
        pairs: dict[int, int] = {}
        if len(mine) < 2 and len(others) < 2:
            return pairs
        for number in mine:
            target = _target(self.old.outputs[number])
            free = [other for other in others if other not in pairs.values()]
            same = [one for one in free if target and _target(self.new.outputs[one]) == target]
            if len(same) == 1:
                pairs[number] = same[0]
        for number, other in zip(mine, others, strict=False):
            pairs = _greedy_pairs([number], [other], self._are_alike, pairs)
        return _greedy_pairs(mine, others, self._are_alike, pairs)

    def _functions(self, mine: list[int], others: list[int]) -> dict[int, int]:
        """Return the functions whose records say something about the jobs.

        A rewrite may do in its function what the stream did before, so records that differ are no
        fault: what the function makes of them is compared. Records are compared where they are
        equal, and where nothing else can be: the functions of both jobs use them as they are given,
        and all that they do with them is done by other means, as with a client of a database.
        """
        pairs = _greedy_pairs(mine, others, self._are_alike)
        silent = [
            [number for number in numbers if number not in paired and _is_silent(outcome, number)]
            for outcome, numbers, paired in (
                (self.old, mine, pairs),
                (self.new, others, pairs.values()),
            )
        ]
        if len(silent[0]) == len(silent[1]):
            pairs |= zip(*silent, strict=True)
        return pairs

    def _states(self, mine: list[int], others: list[int]) -> dict[int, int]:
        """Return the states to compare: of one form, first those that are equal, the rest in order.

        A running aggregate and a value of `transformWithState` hold what `updateStateByKey` does,
        as columns. What a query keeps in another form, such as the slices of a window, is left out.
        """

        def have_one_form(number: int, other: int) -> bool:
            """Return whether all rows have the same types; a state that is empty has any."""
            forms = _forms(self.old, number) | _forms(self.new, other)
            if len({len(form) for form in forms}) > 1:
                return False
            return all(len({*kinds} - {"none"}) < 2 for kinds in zip(*forms, strict=True))

        equal = _greedy_pairs(
            mine, others, lambda *each: have_one_form(*each) and self._are_alike(*each)
        )
        return _greedy_pairs(mine, others, have_one_form, equal)


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


def kept_windows(text: str) -> list[int]:
    """Return the lines of a program with windows that keep
    totals; they give out all that they keep.

    Parameters
    ----------
    text : str
        The program; one that does not parse has none.
    """
    return sorted(
        {
            node.lineno
            for node in nodes(text)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and (node.func.attr in _COUNTS or _has_inverse(node, node.func.attr))
        }
    )


def _has_inverse(call: ast.Call, name: str) -> bool:
    position, keyword = _INVERSE.get(name, (len(call.args), ""))
    values = call.args[position : position + 1]
    values += [each.value for each in call.keywords if each.arg == keyword]
    return any(not (isinstance(one, ast.Constant) and one.value is None) for one in values)


def _greedy_pairs(
    mine: Sequence[int],
    others: Sequence[int],
    fit: Callable[[int, int], bool],
    pairs: Mapping[int, int] = MappingProxyType({}),
) -> dict[int, int]:
    """Return pairs, and for each other number the first one that fits and is in no pair yet."""
    pairs = dict(pairs)
    for number in mine:
        free = (other for other in others if other not in pairs.values() and fit(number, other))
        if number not in pairs and (other := next(free, None)) is not None:
            pairs[number] = other
    return pairs


def _forms(outcome: Results, number: int) -> set[tuple[str, ...]]:
    batches = outcome.runs[number].values()
    return {tuple(_form(row)) for runs in batches for rows in runs for row in rows}


def _form(value: Value) -> Iterator[str]:
    """Yield the types of the columns of a value: a tuple in it is columns beside the others."""
    if value[0] in ("tuple", "row"):
        for field in fields(value):
            yield from _form(field)
    else:
        yield "array" if value[0] in _ARRAYS else str(value[0])


def gives_out(outcome: Results, number: int) -> bool:
    """Return whether a function gives out something that is an output of its own.

    Parameters
    ----------
    outcome : Results
        What its job gave.
    number : int
        Of what the function was given.
    """
    place = outcome.outputs[number].place[:1]
    return any(
        other.place[:1] == place and other.kind not in ("state", "stream")
        for at, other in enumerate(outcome.outputs)
        if at != number
    )


def _is_silent(outcome: Results, number: int) -> bool:
    """Return whether a function uses its records itself, and gives out nothing recorded."""
    return outcome.outputs[number].direct and not gives_out(outcome, number)
