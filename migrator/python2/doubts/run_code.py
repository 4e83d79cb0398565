"""Code in texts, which is Python 2 as well and was not converted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

_RUNS = ("exec", "execfile", "compile", "eval")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find calls that run code."""
    for node in ast.walk(part.tree):
        if not isinstance(node, ast.Call) or not program.is_builtin(node.func, *_RUNS):
            continue
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        detail = "its code is Python 2 and was not converted"
        if name == "execfile":
            detail = f"Python 3 has no `execfile`, and {detail}"
        elif name == "exec" and len(node.args) == 1 and _in_function(part, node):
            detail += "; in a function it sets no variables in Python 3"
        yield Doubt(node, "exec", name, detail, name == "execfile")


def _in_function(part: ProgramPart, node: ast.AST) -> bool:
    while node in part.parents:
        node = part.parents[node]
        if isinstance(node, _FUNCTIONS):
            return True
    return False
