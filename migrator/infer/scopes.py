"""Which names a function, class or module binds itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer import api
from migrator.infer.program import FunctionNode, Program, Scope, ScopeNode
from migrator.source.children import children

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

_BINDERS = (
    *(ast.Name, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)


def scope_of(program: Program, node: ScopeNode, parent: Scope | None) -> Scope:
    """The scope of a node, made when first asked for."""
    scope = program.scopes.get(node)
    if scope is None:
        outer: dict[str, str] = {}
        names = frozenset(_bound_names(node, outer))
        scope = program.scopes[node] = Scope(node, program, parent, names, outer)
    return scope


def _bound_names(node: ScopeNode, outer: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield from parameter_names(node)
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    pending = body
    while pending:
        child = pending.pop()
        if isinstance(child, ast.Global | ast.Nonlocal):
            kind = "global" if isinstance(child, ast.Global) else "nonlocal"
            outer.update(dict.fromkeys(child.names, kind))
            continue
        if isinstance(child, _BINDERS):
            yield from _names_bound_by(child)
        pending.extend(_children_in_scope(child))


def _names_bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name.partition(".")[0]
        case ast.ImportFrom(names=aliases):
            for alias in aliases:
                if alias.name == "*":
                    yield from api.star_names(imported_module(node))
                else:
                    yield alias.asname or alias.name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


def imported_module(node: ast.ImportFrom) -> str:
    """The module of a from-import as written, with the dots of a relative one."""
    return "." * node.level + (node.module or "")


def parameter_names(node: FunctionNode) -> list[str]:
    """Names of all parameters of a function."""
    args = node.args
    names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return names + [a.arg for a in (args.vararg, args.kwarg) if a is not None]


def _children_in_scope(node: ast.AST) -> Iterator[ast.AST]:
    """Children evaluated in the same scope: not the inside of functions and classes."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from node.decorator_list
        yield from node.args.defaults
        yield from (d for d in node.args.kw_defaults if d is not None)
    elif isinstance(node, ast.ClassDef):
        yield from node.decorator_list
        yield from node.bases
    elif isinstance(node, ast.Lambda):
        yield from node.args.defaults
    elif isinstance(node, _COMPREHENSIONS):
        # targets of a comprehension are its own, only := leaks
        for child in ast.walk(node):
            if isinstance(child, ast.NamedExpr):
                yield child.target
    else:
        yield from children(node)
