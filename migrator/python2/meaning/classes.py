"""Special methods and `x.next()`: those of another name, and those that Python 3 never calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.program import Change, ProgramPart
from migrator.source.spans import Span

_GONE = {
    "__cmp__": "define `__eq__` and `__lt__`",
    "__div__": "define `__truediv__` or `__floordiv__`",
    "__rdiv__": "define `__rtruediv__` or `__rfloordiv__`",
    "__idiv__": "define `__itruediv__` or `__ifloordiv__`",
    "__unicode__": "`__str__` gives text",
    "__getslice__": "`__getitem__` gets slices",
    "__setslice__": "`__setitem__` gets slices",
    "__delslice__": "`__delitem__` gets slices",
    "__coerce__": "each operator does it for itself",
    "__long__": "define `__int__`",
    "__oct__": "define `__index__`",
    "__hex__": "define `__index__`",
}


def changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield `__bool__` for `__nonzero__`, and an iterator with `__next__`."""
    program = part.program
    match node:
        case ast.ClassDef():
            methods = _methods(node)
            for method in methods.values():
                new = ""
                if method.name == "__nonzero__" and "__bool__" not in methods:
                    new = "__bool__"
                elif method.name == "next" and "__iter__" in methods and "__next__" not in methods:
                    new = "__next__"
                if new and len(method.args.args) == 1:
                    start = part.text.text.index(method.name, part.start(method) + len("def"))
                    edit = Span(start, start + len(method.name), new)
                    yield Change(method, "methods", f"`{method.name}` becomes `{new}`", (edit,))
        case ast.Call(func=ast.Attribute(value=owner, attr="next"), args=[], keywords=[]):
            # iterators of Java have it as well, beside hasNext()
            of_java = any("hasNext" in other.text.text for other in program.parts)
            iterators = "next" not in program.methods or program.only_iterators
            if not of_java and iterators and "next" not in program.bound:
                edits = part.replacing_spans(node, f"next({part.source(owner)})")
                yield Change(node, "methods", "`x.next()` becomes `next(x)`", edits)


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield the methods of a class that nothing calls any more, `__metaclass__`, and `__eq__`
    without `__hash__`.
    """
    if not isinstance(node, ast.ClassDef):
        return
    methods = _methods(node)
    assigned = {
        target.id: n
        for n in node.body
        if isinstance(n, ast.Assign)
        for target in n.targets
        if isinstance(target, ast.Name)
    }
    for name in methods.keys() & _GONE.keys():
        detail = f"Python 3 never calls it; {_GONE[name]}"
        yield part.doubt(methods[name], "special-method", name, detail, True)
    if "__metaclass__" in assigned:
        detail = "Python 3 does not look at it; name it in the bases: metaclass=..."
        yield part.doubt(assigned["__metaclass__"], "special-method", "__metaclass__", detail, True)
    if "__eq__" in methods and "__hash__" not in methods.keys() | assigned.keys():
        detail = "without `__hash__` its objects cannot be keys or members of sets in Python 3"
        yield part.doubt(node, "special-method", f"{node.name}.__eq__", detail)


def _methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
