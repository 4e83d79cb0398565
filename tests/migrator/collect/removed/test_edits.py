"""The text of expressions in edits: where a dot may follow, and what may be moved."""

from __future__ import annotations

import ast

import pytest

from migrator.collect.removed.finder import has_old_mode, is_settled, operand
from migrator.discover.filetypes import FileType
from migrator.source.document import read_document
from migrator.source.python import Unit


def unit_of(text: str) -> Unit:
    unit = read_document(FileType.PYTHON, text.encode()).unit
    assert unit is not None
    return unit


def last(unit: Unit) -> ast.expr:
    statement = unit.tree.body[-1]
    assert isinstance(statement, ast.Expr)
    return statement.value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x", "x"),
        ("x.y[0]()", "x.y[0]()"),
        ("'text'", "'text'"),
        ("'one' 'two'", "('one' 'two')"),
        ("1", "(1)"),
        ("a + b", "(a + b)"),
        ("a if b else c", "(a if b else c)"),
        ("a, b", "(a, b)"),
        ("(a, b)", "(a, b)"),
        ("not a", "(not a)"),
    ],
)
def test_a_dot_may_follow_an_operand(text: str, found: str) -> None:
    unit = unit_of(text)
    shown = operand(unit.chunk_at(1), last(unit))
    assert shown == found
    tree = ast.parse(f"{shown}.strip", mode="eval").body
    assert isinstance(tree, ast.Attribute)
    assert ast.dump(tree.value) == ast.dump(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("x + y.z", True),
        ("xrange(3)", False),
        ("f(d.iteritems())", False),
        ("open(name, 'rU')", False),
        ("sorted(x, cmp=f)", False),
        ("lambda: x", False),
        ("f'{x}'", False),
    ],
)
def test_text_that_another_edit_may_concern_is_not_moved(text: str, settled: bool) -> None:
    assert is_settled(ast.parse(text, mode="eval").body) is settled


@pytest.mark.parametrize(
    ("mode", "is_old"), [("rU", True), ("U", True), ("rb", False), ("Uw", False), ("", False)]
)
def test_modes_that_python_refuses(mode: str, is_old: bool) -> None:
    assert has_old_mode(ast.Constant(mode)) is is_old
