"""The children of syntax nodes, as every walk of the migrator needs them."""

from __future__ import annotations

import ast

# one object each for all its uses: they say how a node is used and are read from there
_MARKS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


def children(node: ast.AST) -> list[ast.AST]:
    """The child nodes in the order of the fields, without operators and contexts.

    `ast.iter_child_nodes` gives the same and those; walks spend a tenth of a run in it.
    """
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [
                item for item in value if isinstance(item, ast.AST) and not isinstance(item, _MARKS)
            ]
        elif isinstance(value, ast.AST) and not isinstance(value, _MARKS):
            found.append(value)
    return found
