"""Builtins of another name: `xrange`, `raw_input`, `unicode`, `long`... and `reduce`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.spans import Span
from migrator.python.replacements import RENAMED_BUILTINS, RENAMED_IN_MODULES
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.names.added_import import import_edit
from migrator.python2.program import Change, Program2, ProgramPart


def changes(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Change]:
    """Yield the names with those of Python 3; none that the program binds itself."""
    reduced = []
    for node in ast.walk(part.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            new = RENAMED_BUILTINS.get(node.id)
            if program.is_builtin(node, "reduce"):
                reduced.append(node)
            elif new and node.id not in program.bound and new not in program.bound:
                yield Change(
                    node, "names", f"`{node.id}` becomes `{new}`", part.replaced(node, new)
                )
            elif program.is_builtin(node, "input") and "eval" not in program.bound:
                call = part.parents.get(node)
                if isinstance(call, ast.Call) and call.func is node:
                    text = "`input(...)` becomes `eval(input(...))`, which is what it did"
                    yield Change(call, "names", text, part.wrapped(call, "eval("))
        elif isinstance(node, ast.Attribute) and (path := program.path(node)) in RENAMED_IN_MODULES:
            new = RENAMED_IN_MODULES[path].rpartition(".")[2]
            edit = Span(part.end(node) - len(node.attr), part.end(node), new)
            text = f"`{path}` becomes `{RENAMED_IN_MODULES[path]}`"
            yield Change(node, "names", text, (edit,))
    if reduced:
        first = min(reduced, key=part.start)
        edit = import_edit(part, "from functools import reduce")
        yield Change(first, "names", "`reduce` is imported from functools", (edit,))
