"""Special methods that Python 3 does not call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

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


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find methods that nothing calls any more,
    `__metaclass__`, and `__eq__` without `__hash__`.
    """
    for node in ast.walk(part.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        names = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        assigned = {
            target.id: n
            for n in node.body
            if isinstance(n, ast.Assign)
            for target in n.targets
            if isinstance(target, ast.Name)
        }
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name in _GONE:
                detail = f"Python 3 never calls it; {_GONE[method.name]}"
                yield Doubt(method, "methods", method.name, detail, True)
        if "__metaclass__" in assigned:
            detail = "Python 3 does not look at it; name it in the bases: metaclass=..."
            yield Doubt(assigned["__metaclass__"], "methods", "__metaclass__", detail, True)
        if "__eq__" in names and not {"__hash__"} & (names | set(assigned)):
            detail = "without `__hash__` its objects cannot be keys or members of sets in Python 3"
            yield Doubt(node, "methods", f"{node.name}.__eq__", detail)
