"""The classes of windows that a result needs."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from .import_places import last_import


def with_classes(text: str, builder: Builder) -> str:
    """Return a text with the classes of its windows, below its imports and constants."""
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
    place = last = max(
        [last_import(tree, {*builder.classes.values(), builder.session}), *constants]
    )
    while last < len(lines) and not lines[last].strip():
        last += 1
    classes = "\n\n\n".join(each.source(name) for each, name in builder.classes.items())
    lines[place:last] = [f"\n\n{classes}\n\n\n"]
    return "".join(lines)
