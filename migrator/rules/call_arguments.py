"""Packages and jars as arguments of Airflow's `SparkSubmitOperator` and `SparkSubmitHook`."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from migrator.source.lines import keep_ends

_CALLS = frozenset({"SparkSubmitOperator", "SparkSubmitHook"})
_LISTS = frozenset({"packages", "jars"})
_BETWEEN = re.compile(r"\s*,\s*")


@dataclass(frozen=True, slots=True)
class Argument:
    """A list given by its name, with offsets in the text of the program.

    Attributes
    ----------
    name
        "packages" or "jars".
    start, end
        Where it begins, and where its value ends.
    removal
        What goes with it, its comma included; None if that is not plain.
    call
        Where the call begins and ends.
    is_open
        Whether the call has `**arguments`, which may give any name.
    """

    name: str
    start: int
    end: int
    removal: tuple[int, int] | None
    call: tuple[int, int]
    is_open: bool


def argument_at(text: str, offset: int) -> Argument | None:
    """The argument whose value an offset of a program lies in."""
    return next((a for a in _arguments(text) if a.start <= offset < a.end), None)


def arguments_beside(text: str, argument: Argument) -> Iterator[Argument]:
    """All such arguments of the same call."""
    return (other for other in _arguments(text) if other.call == argument.call)


@lru_cache(maxsize=8)
def _arguments(text: str) -> tuple[Argument, ...]:
    if not any(name in text for name in _CALLS):
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Python 2, or a cell with magics: nothing is known of its calls
        return ()
    return tuple(
        a for call in ast.walk(tree) if isinstance(call, ast.Call) for a in _of(text, call)
    )


def _of(text: str, call: ast.Call) -> Iterator[Argument]:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in _CALLS:
            pass
        case _:
            return
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    spans = sorted(_span(text, one) for one in given)
    is_open = any(keyword.arg is None for keyword in call.keywords)
    for keyword in call.keywords:
        if keyword.arg in _LISTS and isinstance(keyword.value, ast.Constant):
            start, end = _span(text, keyword)
            index = spans.index((start, end))
            removal = None
            if index + 1 < len(spans) and _BETWEEN.fullmatch(text, end, spans[index + 1][0]):
                removal = start, spans[index + 1][0]
            elif index and _BETWEEN.fullmatch(text, spans[index - 1][1], start):
                removal = spans[index - 1][1], end
            yield Argument(keyword.arg, start, end, removal, _span(text, call), is_open)


def _span(text: str, node: ast.expr | ast.keyword) -> tuple[int, int]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (
        _offset(text, node.lineno, node.col_offset),
        _offset(text, node.end_lineno, node.end_col_offset),
    )


@lru_cache(maxsize=8)
def _lines(text: str) -> tuple[list[str], list[int]]:
    lines = keep_ends(text)
    return lines, [0, *accumulate(map(len, lines))]


def _offset(text: str, line: int, column: int) -> int:
    """The offset of a place that `ast` gives: a line, and a column in bytes."""
    lines, starts = _lines(text)
    before = lines[line - 1].encode("utf-8", "surrogatepass")[:column]
    return starts[line - 1] + len(before.decode("utf-8", "surrogatepass"))
