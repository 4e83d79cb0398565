"""Children of syntax nodes: what `ast` gives, but operators and contexts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import migrator
from migrator.source.child_nodes import children

pytestmark = pytest.mark.slow

MARKS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
MORE = """
match x:
    case {"a": A(b=1), **rest} | [1, *more] as y if -y < 2:
        global z
async def f(a, /, b: int = 1, *c, d=2, **e) -> None:
    async with x as y, z: await y
    return [i async for i in (yield) if not i]
lambda q: f"{q!r:>{w}}"
"""


def test_the_same_as_ast() -> None:
    sources = [p.read_text() for p in Path(migrator.__file__).parent.rglob("*.py")]
    for source in [MORE, *sources]:
        for node in ast.walk(ast.parse(source)):
            known = [n for n in ast.iter_child_nodes(node) if not isinstance(n, MARKS)]
            assert children(node) == known
