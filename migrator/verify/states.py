"""Finds the state of a query that stands for a state of DStreams, by the form of its rows."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from dstream_compat.testing.results import Results
from dstream_compat.testing.values import Value, fields

# columns have arrays for these
_ARRAYS = ("list", "set")
# windows that take off what leaves them, by the position and name of the function that does
_INVERSE = {"reduceByKeyAndWindow": (1, "invFunc"), "reduceByWindow": (1, "invReduceFunc")}
_COUNTS = ("countByWindow", "countByValueAndWindow")


def kept_windows(text: str) -> list[int]:
    """Return the lines of a program with windows that keep
    totals; they give out all that they keep.

    Parameters
    ----------
    text : str
        The program; one that does not parse has none.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return sorted(
        {
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and (node.func.attr in _COUNTS or _has_inverse(node, node.func.attr))
        }
    )


def _has_inverse(call: ast.Call, name: str) -> bool:
    position, keyword = _INVERSE.get(name, (len(call.args), ""))
    arguments = call.args[position : position + 1]
    arguments += [
        keyword_node.value for keyword_node in call.keywords if keyword_node.arg == keyword
    ]
    return any(
        not (isinstance(keyword_node, ast.Constant) and keyword_node.value is None)
        for keyword_node in arguments
    )


def same_states(
    old: Results,
    new: Results,
    mine: Sequence[int],
    others: Sequence[int],
    alike: Callable[[int, int], bool],
) -> list[tuple[int, int]]:
    """Return the states to compare: of the same form, first
    those that are equal, the rest in order.

    A running aggregate and a value of `transformWithState` hold what `updateStateByKey` does, as
    columns. What a query keeps in another form, such as the slices of a window, is left out.

    Parameters
    ----------
    mine, others : sequence of int
        The numbers of their states.
    alike : callable
        Whether two states are the same in all batches.
    """
    pairs_found: dict[int, int] = {}
    for must_be_alike in (True, False):
        for number in mine:
            for other in others:
                if number in pairs_found or other in pairs_found.values():
                    continue
                if not _have_one_form(old, number, new, other):
                    continue
                if not must_be_alike or alike(number, other):
                    pairs_found[number] = other
    return list(pairs_found.items())


def _have_one_form(old: Results, number: int, new: Results, other: int) -> bool:
    """Return whether all rows have the same types; a state that is always empty has any."""
    forms = _forms(old, number) | _forms(new, other)
    if len({len(form) for form in forms}) > 1:
        return False
    return all(len({*kinds} - {"none"}) < 2 for kinds in zip(*forms, strict=True))


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
