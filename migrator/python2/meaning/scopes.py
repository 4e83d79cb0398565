"""Names that are bound no more: variables behind their block, and modules of the package."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.program import ProgramPart

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_INNER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield what is read behind the block that binds it, and modules beside the program."""
    match node:
        case ast.ListComp(generators=generators):
            targets = (n for g in generators for n in ast.walk(g.target))
            names = {n.id for n in targets if isinstance(n, ast.Name)}
            where = "list comprehension"
        case ast.ExceptHandler(name=str(name)):
            names, where = {name}, "`except`"
        case ast.Import(names=aliases):
            yield from _imports(part, node, [alias.name for alias in aliases])
            return
        case ast.ImportFrom(module=str(module), level=0):
            yield from _imports(part, node, [module])
            return
        case _:
            return
    functions = (n for n in part.around(node) if isinstance(n, _FUNCTIONS))
    scope = next(functions, part.tree)
    for name in sorted(names):
        line = _read_behind(part, scope, node, name)
        if line is not None:
            detail = f"the {where} does not leave it behind in Python 3; line {line} reads it"
            yield part.doubt(node, "scope", name, detail)


def _imports(part: ProgramPart, node: ast.AST, paths: list[str]) -> Iterator[Python2Doubt]:
    """Yield modules that are found only because they lie in the same package."""
    if "absolute_import" in part.features:
        return
    for path in paths:
        name = path.partition(".")[0]
        if part.program.is_beside(name):
            detail = (
                f"`{name}` lies in the same package, where Python 3 looks only if the program is "
                "run as a script"
            )
            yield part.doubt(node, "relative-import", f"import {path}", detail)


def _read_behind(part: ProgramPart, scope: ast.AST, block: ast.AST, name: str) -> int | None:
    """Return the line in the original that reads a variable behind a block, before it is bound."""
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
    return part.spot(min(reads, key=part.start)).line if reads else None


def _bound_from(part: ProgramPart, node: ast.AST) -> int:
    """Return where a variable has the value that it gets there."""
    statement = next((n for n in part.around(node) if isinstance(n, ast.stmt)), node)
    return part.end(statement) if isinstance(statement, ast.Assign) else part.start(node)


def _own(part: ProgramPart, node: ast.AST, scope: ast.AST, name: str) -> bool:
    """Return whether a name in an inner function or comprehension is a variable of that."""
    for outer in part.around(node):
        if outer is scope:
            break
        if isinstance(outer, _FUNCTIONS):
            arguments = [*outer.args.args, outer.args.vararg, outer.args.kwarg]
            if any(a is not None and a.arg == name for a in arguments):
                return True
            body = outer.body if isinstance(outer.body, list) else [outer.body]
            if any(_stores(inner, name) for inner in body):
                return True
        elif isinstance(outer, _INNER) and any(_stores(g.target, name) for g in outer.generators):
            return True
    return False


def _stores(tree: ast.AST, name: str) -> bool:
    return any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        for n in ast.walk(tree)
    )
