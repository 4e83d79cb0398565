"""The classes and the modules of Python that a result needs."""

from __future__ import annotations

import ast
from typing import TypeGuard

from .build import Builder
from .modules import Module


def with_modules(text: str, before: Module, builder: Builder) -> str:
    """A text that imports modules of Python, in their order among those that it imports."""
    lines = text.splitlines(keepends=True)
    for name in sorted(builder.modules - set(before.paths)):
        plain = [e for e in ast.parse("".join(lines)).body if _is_plain(e)]
        later = next((e for e in plain if e.names[0].name > name), None)
        if later is not None:
            lines.insert(later.lineno - 1, f"import {name}\n")
        elif plain:
            lines.insert(plain[-1].end_lineno or plain[-1].lineno, f"import {name}\n")
        else:
            tree = ast.parse("".join(lines))
            first = next(e for e in tree.body if isinstance(e, ast.Import | ast.ImportFrom))
            lines.insert(first.lineno - 1, f"import {name}\n\n")
    return "".join(lines)


def _is_plain(node: ast.stmt) -> TypeGuard[ast.Import]:
    """Whether it imports modules other than Spark's."""
    if not isinstance(node, ast.Import):
        return False
    return any(each.name.partition(".")[0] != "pyspark" for each in node.names)


def with_classes(text: str, builder: Builder) -> str:
    """A text with the classes of its windows, below its imports and constants."""
    if not builder.classes:
        return text
    tree = ast.parse(text)
    constants = [
        node.end_lineno or node.lineno
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in builder.printer.constants
    ]
    lines = text.splitlines(keepends=True)
    place = last = max([last_import(tree), *constants])
    while last < len(lines) and not lines[last].strip():
        last += 1
    classes = "\n\n\n".join(each.source(name) for each, name in builder.classes.items())
    lines[place:last] = [f"\n\n{classes}\n\n\n"]
    return "".join(lines)


def last_import(tree: ast.Module) -> int:
    """The last line of the imports at the top, or of the docstring."""
    last = 0
    for node in tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or (text and not last):
            last = node.end_lineno or node.lineno
    return last
