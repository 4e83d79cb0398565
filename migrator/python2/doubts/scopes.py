"""Variables that outlived their block in Python 2: of list comprehensions and of `except`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_INNER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find variables that are read behind the block that binds them."""
    for node in ast.walk(part.tree):
        if isinstance(node, ast.ListComp):
            names = {
                n.id
                for generator in node.generators
                for n in ast.walk(generator.target)
                if isinstance(n, ast.Name)
            }
            where = "list comprehension"
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names, where = {node.name}, "`except`"
        else:
            continue
        scope = _scope(part, node)
        for name in sorted(names):
            line = _read_behind(part, scope, node, name)
            if line is not None:
                detail = f"the {where} does not leave it behind in Python 3; line {line} reads it"
                yield Doubt(node, "scope", name, detail)


def _scope(part: ProgramPart, node: ast.AST) -> ast.AST:
    """Return the function or module around a node."""
    while node in part.parents:
        node = part.parents[node]
        if isinstance(node, _FUNCTIONS):
            return node
    return node


def _read_behind(part: ProgramPart, scope: ast.AST, block: ast.AST, name: str) -> int | None:
    """Return the line of the original where a variable is
    read behind a block, before it is bound.
    """
    inside = set(ast.walk(block))
    end = part.end(block)
    found = []
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and node.id == name and node not in inside:
            if part.start(node) >= end and not _own(part, node, scope, name):
                found.append(node)
        elif isinstance(node, ast.ExceptHandler) and node.name == name and node is not block:
            # another handler binds it for itself
            inside |= {n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name}
    found = [n for n in found if n not in inside]
    reads = [n for n in found if isinstance(n.ctx, ast.Load)]
    stores = [_bound_from(part, n) for n in found if isinstance(n.ctx, ast.Store)]
    reads = [n for n in reads if not any(start <= part.start(n) for start in stores)]
    return part.old_place(min(reads, key=part.start))[0] if reads else None


def _bound_from(part: ProgramPart, node: ast.AST) -> int:
    """Return where a variable has the value that it gets there."""
    current = node
    while current in part.parents and not isinstance(current, ast.stmt):
        current = part.parents[current]
    return part.end(current) if isinstance(current, ast.Assign) else part.start(node)


def _own(part: ProgramPart, node: ast.AST, scope: ast.AST, name: str) -> bool:
    """Return whether a name in an inner function or comprehension is a variable of that."""
    while node is not scope and node in part.parents:
        node = part.parents[node]
        if node is scope:
            break
        if isinstance(node, _FUNCTIONS):
            arguments = [*node.args.args, node.args.vararg, node.args.kwarg]
            if any(a is not None and a.arg == name for a in arguments):
                return True
            body = node.body if isinstance(node.body, list) else [node.body]
            if any(_stores(inner, name) for inner in body):
                return True
        elif isinstance(node, _INNER) and any(_stores(g.target, name) for g in node.generators):
            return True
    return False


def _stores(tree: ast.AST, name: str) -> bool:
    return any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        for n in ast.walk(tree)
    )
