"""Special methods and `x.next()`, which Python 3 names differently."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.spans import Span
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Change, Program2, ProgramPart


def changes(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Change]:
    """Yield `__bool__` for `__nonzero__`, and iterators with `__next__`."""
    # iterators of Java have it as well, beside hasNext()
    of_java = any("hasNext" in other.text.text for other in program.parts)
    iterators = "next" not in program.methods or program.only_iterators
    for node in ast.walk(part.tree):
        match node:
            case ast.ClassDef(body=body):
                names = {n.name for n in body if isinstance(n, ast.FunctionDef)}
                for method in body:
                    if isinstance(method, ast.FunctionDef):
                        yield from _method(program, part, method, names)
            case ast.Call(func=ast.Attribute(value=owner, attr="next"), args=[], keywords=[]):
                if not of_java and iterators and "next" not in program.bound:
                    edits = part.replaced(node, f"next({part.source(owner)})")
                    yield Change(node, "methods", "`x.next()` becomes `next(x)`", edits)


def _method(
    program: Program2, part: ProgramPart, method: ast.FunctionDef, names: set[str]
) -> Iterator[Change]:
    new = ""
    if method.name == "__nonzero__" and "__bool__" not in names:
        new = "__bool__"
    elif method.name == "next" and "__iter__" in names and "__next__" not in names:
        new = "__next__"
    if new and len(method.args.args) == 1:
        start = part.text.text.index(method.name, part.start(method) + len("def"))
        edit = Span(start, start + len(method.name), new)
        yield Change(method, "methods", f"`{method.name}` becomes `{new}`", (edit,))
