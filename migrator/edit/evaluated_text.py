"""Names in text that Python evaluates: annotations in quotes, and what `eval` and `exec` are given.

Such text is not rewritten, so what it names has to stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.source.python import Unit

_RUNNERS = frozenset({"eval", "exec", "compile"})


def evaluated_lines(unit: Unit, path: str) -> Iterator[int]:
    """Yield the lines in which `eval` or `exec` is given a text with a dotted path."""
    for node in unit.nodes():
        match node:
            case ast.Call(func=ast.Name(id=function), args=[text, *_]) if function in _RUNNERS:
                if _mentions(text, path):
                    yield node.lineno


def quoted_lines(unit: Unit, path: str) -> Iterator[int]:
    """Yield the same, and the lines of annotations in quotes that contain the path."""
    yield from evaluated_lines(unit, path)
    for node in unit.nodes():
        match node:
            case ast.arg(annotation=ast.expr() as text) | ast.AnnAssign(annotation=text):
                found: ast.expr | None = text
            case ast.FunctionDef(returns=text) | ast.AsyncFunctionDef(returns=text):
                found = text
            case ast.Call(func=ast.Name(id="cast") | ast.Attribute(attr="cast"), args=[text, _]):
                found = text
            case _:
                continue
        if found is not None and _mentions(found, path):
            yield found.lineno


def _mentions(node: ast.expr, path: str) -> bool:
    wanted = re.compile(rf"(?<![\w.]){re.escape(path)}\b")
    parts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return any(isinstance(text, str) and wanted.search(text) for text in parts)
