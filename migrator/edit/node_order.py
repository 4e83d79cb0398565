"""Numbers the nodes of a tree in the order in which their source stands.

`ast` and libcst share no node identity, and positions are costly in libcst. Both list the nodes of
one type in source order, though, so "the third import statement" is the same one in both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

NUMBERED = (ast.Import, ast.ImportFrom, ast.Attribute)


@lru_cache(maxsize=4)
def numbers(tree: ast.AST) -> dict[ast.AST, tuple[str, int]]:
    """Return type name and number of each import statement and
    attribute of a tree; not to be changed.
    """
    counts: dict[str, int] = {}
    found: dict[ast.AST, tuple[str, int]] = {}
    for node in in_source_order(tree):
        if isinstance(node, NUMBERED):
            name = type(node).__name__
            found[node] = (name, counts.get(name, 0))
            counts[name] = counts.get(name, 0) + 1
    return found


def in_source_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes, a parent before its children, siblings from left to right."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(_children(node)))


def _children(node: ast.AST) -> list[ast.AST]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts: list[ast.AST | None] = [*node.decorator_list, *getattr(node, "type_params", ())]
            parts += [*_parameters(node.args), node.returns, *node.body]
        case ast.Lambda():
            parts = [*_parameters(node.args), node.body]
        case ast.ClassDef():
            parts = [*node.decorator_list, *getattr(node, "type_params", ())]
            parts += [*_by_position([*node.bases, *node.keywords]), *node.body]
        case ast.Call():
            parts = [node.func, *_by_position([*node.args, *node.keywords])]
        case ast.Dict():
            parts = [n for pair in zip(node.keys, node.values, strict=True) for n in pair]
        case ast.IfExp():
            parts = [node.body, node.test, node.orelse]
        case ast.MatchMapping():
            parts = [n for pair in zip(node.keys, node.patterns, strict=True) for n in pair]
        case _:
            parts = list(ast.iter_child_nodes(node))
    return [part for part in parts if part is not None]


def _parameters(args: ast.arguments) -> list[ast.AST | None]:
    found: list[ast.AST | None] = []
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    for argument, default in zip(positional, defaults, strict=True):
        found += [argument.annotation, default]
    if args.vararg is not None:
        found.append(args.vararg.annotation)
    for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found += [argument.annotation, default]
    if args.kwarg is not None:
        found.append(args.kwarg.annotation)
    return found


def _by_position(nodes: list[ast.expr | ast.keyword]) -> list[ast.AST]:
    nodes.sort(key=lambda n: (n.lineno, n.col_offset))
    return list(nodes)
