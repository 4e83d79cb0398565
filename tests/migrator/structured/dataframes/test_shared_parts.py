"""Parts that columns share get a name, where a reader would give them one."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native import Translation, Translator
from dstream_compat.native.expressions import Column
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import String
from migrator.structured.dataframes.frames import (
    Chain,
    Printer,
    leaves_of,
    select_columns,
    share_parts,
)

ACCEPT = (Code.INT_TEXT,)
SPLIT = 'F.split(F.col("line"), ",")'


def written(source: str, *names: str) -> list[str]:
    """The selects for what a lambda makes of a line."""
    made = Translator(accept=ACCEPT).map(_lambda(source), Column(String(), "line"))
    assert isinstance(made, Translation), made
    pairs = [*zip(leaves_of(made.expression), names, strict=True)]
    chain = select_columns(Chain("lines"), pairs)
    return [Printer("F", str).expression(Chain("lines", (call,))) for call in chain.calls]


def _lambda(source: str) -> ast.expr:
    return ast.parse(f"lambda line: {source}", mode="eval").body


def test_a_part_that_is_used_often() -> None:
    first, second = written(
        "(line.split(',')[0], line.split(',')[1], line.split(',')[2], line.split(',')[3])",
        *"abcd",
    )
    assert first == f'lines.select({SPLIT}.alias("parts"))'
    assert 'F.col("parts")[0].alias("a")' in second
    assert "split" not in second


def test_a_large_part_that_is_used_again() -> None:
    first, second = written(
        "(line, int(line.strip().replace('a', 'b').replace('c', 'd')))", "k", "v"
    )
    assert first.startswith('lines.select("line", F.replace(F.replace(F.btrim(')
    assert first.endswith('.alias("v_text"))')
    assert second.count('F.col("v_text")') == 3


def test_a_name_that_is_taken() -> None:
    first, second = written(
        "(line.split(',')[0], line.split(',')[1], line.split(',')[2], line.split(',')[3])",
        *("parts", "b", "c", "d"),
    )
    assert first.endswith('.alias("parts_2"))')
    assert 'F.col("parts_2")[0].alias("parts")' in second


@pytest.mark.parametrize(
    ("source", "names"),
    [
        # nothing is there twice
        ("line.split(',')", "a"),
        # a small part is there only a few times
        ("(line.split(',')[0], line.split(',')[1])", "ab"),
        ("(line.split(',')[0], line.split(',')[1], line.split(',')[2])", "abc"),
        # of a function of the elements
        ("[w.strip() + w.strip() + w.strip() + w.strip() for w in line.split(',')]", "a"),
        # columns and constants
        ("(line, line, line, line, line)", "abcde"),
        ("(1, 1, 1, 1, 1)", "abcde"),
        # not computed for every record: there it would raise
        (
            "int(line.split(',')[1].strip().strip('x')) if line.startswith('a') else 0",
            "a",
        ),
    ],
)
def test_what_stays_as_it_is(source: str, names: str) -> None:
    assert len(written(source, *names)) == 1


def test_others_are_computed_of_the_same_frame() -> None:
    made = Translator(accept=ACCEPT).map(
        _lambda("(int(line.strip().replace('a', 'b').replace('c', 'd')), line)"),
        Column(String(), "line"),
    )
    assert isinstance(made, Translation)
    key, line = leaves_of(made.expression)
    code, pairs, others = share_parts(
        Chain("lines"), [(key, "key")], [line, Column(String(), "of")]
    )
    assert [pair[1] for pair in pairs] == ["key"]
    assert others == [line, Column(String(), "of")]
    (call,) = code.calls
    assert Printer("F", str).expression(code).startswith('lines.select("line", "of", F.replace(')
    assert call.name == "select"
