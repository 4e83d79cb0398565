"""`print` as a statement that parses as an expression: `print >>f, x`, `print ("%s") % x`."""

from __future__ import annotations

import ast
import re

from migrator.collect.removed.finder import Finder, is_settled
from migrator.model.report import TextEdit
from migrator.python.replacements import Replacement
from migrator.source.python import Chunk

_CAVEAT = "Python 3 prints less today"
_NAME = re.compile(r"print\s*")
_BEHIND = re.compile(r"\)*\s*,\s*")
_COMMA = re.compile(r"\s*,\s*\Z")


class Prints(Finder):
    """Finds statements that print in Python 2 only."""

    def expression(self, node: ast.Expr) -> None:
        """Find a statement that begins with `print` and is no call of it."""
        value = node.value
        first = _leftmost(value)
        if not isinstance(first, ast.Name) or first.id != "print" or first is value:
            return
        if isinstance(value, ast.Call) and value.func is first:
            return
        if self.around.is_bound("print", first):
            return
        if isinstance(value, ast.Call | ast.Attribute | ast.Subscript | ast.Await):
            # `print(x).y` never worked
            return
        edits = _edits(self.unit.chunk_at(node.lineno), value)
        text, error = _what(value)
        if not error and self._is_meant(value):
            return
        becomes = "print(..., file=f)" if ">>" in text else "print(...)"
        advice = "call print(..., file=f)" if ">>" in text else "call print()"
        instead = Replacement(advice=advice, caveat="" if error else _CAVEAT)
        self.add_removed(node, "print", text, error, instead, edits, becomes=becomes)

    def _is_meant(self, value: ast.expr) -> bool:
        """Return whether a statement that raises nothing may be meant as it is to Python 3."""
        others = value.elts[1:] if isinstance(value, ast.Tuple) else [value]
        if not isinstance(value, ast.Tuple) or any(isinstance(o, ast.Call) for o in others):
            return True
        return any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "print_function" for alias in node.names)
            for node in self.unit.nodes()
        )


def _edits(chunk: Chunk, value: ast.expr) -> tuple[TextEdit, ...]:
    """Return what makes a call of a statement; what is printed stays, for edits of its own."""
    start, end = chunk.span(value)
    text = chunk.text[start:end]
    if "#" in text or chunk.text[end : end + 1] == ")":
        return ()
    trailing = _COMMA.search(text) if isinstance(value, ast.Tuple) else None
    stop = end if trailing is None else start + trailing.start()
    ending = "" if trailing is None else ', end=" "'
    redirected = _redirection(value)
    if redirected is None:
        opened = _NAME.match(text)
        assert opened is not None
        head = chunk.edit(start, start + opened.end(), "print(")
        return (head, chunk.edit(stop, end, f"{ending})"))
    stream, items = redirected
    if not is_settled(stream):
        return ()
    target = chunk.source(stream)
    if not items:
        return (chunk.edit(start, end, f"print(file={target})"),)
    opened = _BEHIND.match(text, chunk.span(stream)[1] - start)
    if opened is None:
        return ()
    head = chunk.edit(start, start + opened.end(), "print(")
    return (head, chunk.edit(stop, end, f", file={target}{ending})"))


def _leftmost(node: ast.expr) -> ast.expr:
    """Return the expression that a text begins with."""
    while True:
        match node:
            case ast.Tuple(elts=[first, *_]):
                node = first
            case ast.BinOp(left=left) | ast.Compare(left=left):
                node = left
            case ast.BoolOp(values=[first, *_]):
                node = first
            case ast.IfExp(body=body):
                node = body
            case ast.Call(func=func):
                node = func
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                node = value
            case _:
                return node


def _redirection(value: ast.expr) -> tuple[ast.expr, list[ast.expr]] | None:
    """Return the stream and the items of `print >>stream, items`."""
    items: list[ast.expr] = []
    if isinstance(value, ast.Tuple):
        value, *items = value.elts
    match value:
        case ast.BinOp(left=ast.Name("print"), op=ast.RShift(), right=stream):
            return stream, items
    return None


def _what(value: ast.expr) -> tuple[str, str]:
    """Return what a statement does, and what it raises."""
    if _redirection(value) is not None:
        return "print >>", "TypeError"
    first = value.elts[0] if isinstance(value, ast.Tuple) else value
    if isinstance(first, ast.BinOp):
        return "print (...) %" if isinstance(first.op, ast.Mod) else "print ...", "TypeError"
    # prints the first part, and throws the rest away
    return "print (...), ...", ""
