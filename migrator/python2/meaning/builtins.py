"""Builtins: those of another name (`xrange`, `unicode`, `reduce`), and those that do less."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python.replacements import RENAMED_BUILTINS, RENAMED_IN_MODULES
from migrator.python2.program import Change, ProgramPart
from migrator.source.spans import Span

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a name with that of Python 3; none that the program binds itself."""
    bound = part.program.bound
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        new = RENAMED_BUILTINS.get(node.id)
        if part.is_builtin(node, "reduce"):
            text = "`reduce` is imported from functools"
            yield Change(node, "names", text, needs="from functools import reduce")
        elif new and node.id not in bound and new not in bound:
            yield Change(
                node, "names", f"`{node.id}` becomes `{new}`", part.replacing_spans(node, new)
            )
        elif part.is_builtin(node, "input") and "eval" not in bound:
            call = part.parents.get(node)
            if isinstance(call, ast.Call) and call.func is node:
                text = "`input(...)` becomes `eval(input(...))`, which is what it did"
                yield Change(call, "names", text, part.wrapping_spans(call, "eval("))
    elif isinstance(node, ast.Attribute) and (path := part.path(node)) in RENAMED_IN_MODULES:
        new = RENAMED_IN_MODULES[path].rpartition(".")[2]
        edit = Span(part.end(node) - len(node.attr), part.end(node), new)
        text = f"`{path}` becomes `{RENAMED_IN_MODULES[path]}`"
        yield Change(node, "names", text, (edit,))


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a call that rounds, runs code, or prints a space at its end."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    name = node.func.id
    if name == "print":
        # of `print x,`
        if any(k.arg == "end" and ast.unparse(k.value) == "' '" for k in node.keywords):
            detail = (
                "it became `end=' '`: Python 3 writes the space at once, Python 2 in front of the "
                "next value"
            )
            yield part.doubt(node, "print-space", "print ...,", detail)
    elif part.is_builtin(node.func, "exec", "compile", "eval"):
        detail = "its code is Python 2 and was not converted"
        inside = any(isinstance(n, _FUNCTIONS) for n in part.around(node))
        if name == "exec" and len(node.args) == 1 and inside:
            detail += "; in a function it sets no variables in Python 3"
        yield part.doubt(node, "code-in-text", name, detail)
    elif part.is_builtin(node.func, "round") and node.args:
        detail = "a half goes to the even number in Python 3, and away from zero in Python 2"
        if len(node.args) == 1:
            detail += "; the result is an int"
        if part.kind(node.args[0]) not in ("int", "bool"):
            yield part.doubt(node, "round", part.source(node), detail)
