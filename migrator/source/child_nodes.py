"""The children of syntax nodes, as every walk of the migrator needs them."""

from __future__ import annotations

import ast

# fields without nodes of their own, and operators and contexts: one object each for all its uses,
# which say how a node is used and are read from there
_NOT_WALKED = {"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "level", "module"}
_NOT_WALKED |= {"asname", "simple", "is_async", "conversion", "rest"}


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """The fields of each type of node that may hold nodes."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        fields = () if kind is ast.Constant else kind._fields
        self[kind] = names = tuple(name for name in fields if name not in _NOT_WALKED)
        return names


_FIELDS = _Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """Return the child nodes in the order of the fields, without operators and contexts.

    `ast.iter_child_nodes` returns operators and contexts, too; walks spend a tenth of a run in it.
    """
    nodes: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            nodes += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            nodes.append(value)
    return nodes


def parents_of(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return the node around each node below a tree."""
    parents: dict[ast.AST, ast.AST] = {}
    pending = [tree]
    while pending:
        node = pending.pop()
        below = children(node)
        parents |= dict.fromkeys(below, node)
        pending += below
    return parents


def enclosing_functions(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return the innermost function around each node; the tree for what stands in none."""
    functions: dict[ast.AST, ast.AST] = {}
    for node, parent in parents_of(tree).items():
        functions[node] = parent if isinstance(parent, _FUNCTIONS) else functions.get(parent, tree)
    return functions
