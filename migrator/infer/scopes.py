"""Which names functions, classes, modules and any other code bind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from migrator.infer.program import (
    ClassInfo,
    ExecutionState,
    FunctionInfo,
    FunctionNode,
    Program,
    Scope,
    ScopeNode,
)
from migrator.source.child_nodes import children
from migrator.spark import api

_BINDERS = frozenset(
    {
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom),
        *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
        *(ast.Global, ast.Nonlocal),
    }
)


def scope_of(program: Program, node: ScopeNode, parent: Scope | None) -> Scope:
    """Return the scope of a node, made when first asked for."""
    scope = program.scopes.get(node)
    if scope is None:
        outer: dict[str, str] = {}
        names = frozenset(_bound_names(node, outer))
        scope = program.scopes[node] = Scope(node, program, parent, names, outer)
    return scope


def _bound_names(node: ScopeNode, outer: dict[str, str]) -> Iterator[str]:
    if not isinstance(node, ast.ClassDef | ast.Module):
        yield from parameter_names(node)
    pending: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while pending:
        child = pending.pop()
        kind = type(child)
        if kind is ast.Name:
            # most of all nodes, and without children
            if type(child.ctx) is not ast.Load:  # type: ignore[attr-defined]
                yield child.id  # type: ignore[attr-defined]
        elif kind is not ast.Constant:
            if kind in _BINDERS:
                yield from names_bound_by(child, outer)
            inside = _INSIDE.get(kind)
            pending.extend(children(child) if inside is None else inside(child))


def names_bound_by(node: ast.AST, outer: dict[str, str]) -> Iterator[str]:
    """Yield the names that a statement or pattern binds itself; note those of other scopes."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Global(names=names):
            outer.update(dict.fromkeys(names, "global"))
        case ast.Nonlocal(names=names):
            outer.update(dict.fromkeys(names, "nonlocal"))
        case ast.Import(names=aliases):
            yield from map(bound_name, aliases)
        case ast.ImportFrom(names=aliases):
            for alias in aliases:
                if alias.name == "*":
                    yield from api.star_names(imported_module(node))
                else:
                    yield bound_name(alias)
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


def bindings(node: ast.AST) -> Iterable[str]:
    """Return the names that a node binds itself, without those of the nodes in it."""
    # a look at the type costs less than a pattern
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, ast.arg):
        return (node.arg,)
    return names_bound_by(node, {}) if type(node) in _BINDERS else ()


def locals_of(code: ast.AST) -> set[str]:
    """Return the names that a function, or any code, binds for itself and the functions in it."""
    nodes = [node for node in ast.walk(code) if node is not code]
    outer = {
        name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
    }
    return {name for node in nodes for name in bindings(node)} - outer


def bound_name(alias: ast.alias) -> str:
    """Return the name that a part of an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def binding_of_import(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> dict[str, str]:
    """Return the name that a part of an import binds, with its dotted path."""
    if isinstance(node, ast.Import):
        return {bound_name(alias): alias.name if alias.asname else bound_name(alias)}
    return {bound_name(alias): f"{imported_module(node)}.{alias.name}"}


def imported_module(node: ast.ImportFrom) -> str:
    """Return the module of a from-import as written, with the dots of a relative one."""
    return "." * node.level + (node.module or "")


def parameter_names(node: FunctionNode) -> list[str]:
    """Return names of all parameters of a function."""
    args = node.args
    names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return names + [a.arg for a in (args.vararg, args.kwarg) if a is not None]


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    defaults = [d for d in node.args.kw_defaults if d is not None]
    return [*node.decorator_list, *node.args.defaults, *defaults]


def _of_comprehension(node: ast.expr) -> list[ast.AST]:
    # targets of a comprehension are its own, only := leaks
    return [child.target for child in ast.walk(node) if isinstance(child, ast.NamedExpr)]


# what stands in the same scope as a node with a scope of its own
_INSIDE: dict[type[ast.AST], Callable[[Any], list[ast.AST]]] = {
    ast.FunctionDef: _of_function,
    ast.AsyncFunctionDef: _of_function,
    ast.ClassDef: lambda node: [*node.decorator_list, *node.bases],
    ast.Lambda: lambda node: [*node.args.defaults],
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _of_comprehension),
}


# Finds or makes the summary of a function or class.


# decorators that choose a function by the class of its first argument
DISPATCHERS = frozenset({"singledispatch", "singledispatchmethod"})
# decorators that leave the function as callable as it was
_TRANSPARENT = {
    *("staticmethod", "classmethod", "property", "cached_property", "abstractmethod"),
    *("contextmanager", "wraps", "override", "lru_cache", "cache", "setter"),
}
_FLAGS = {"staticmethod", "classmethod", "property", "cached_property", *DISPATCHERS}


def function_info(
    frame: ExecutionState, node: FunctionNode, owner: ClassInfo | None = None
) -> FunctionInfo:
    """Return the summary of a function, made when it is first met."""
    functions = frame.program.functions
    info = functions.get(node)
    if info is None:
        scope = scope_of(frame.program, node, frame.scope)
        index = frame.program.project.next_index()
        info = FunctionInfo(index, node, frame.program, scope, owner, _flags(node))
        functions[node] = info
    return info


def class_info(frame: ExecutionState, node: ast.ClassDef) -> ClassInfo:
    """Return the summary of a class, made when it is first met."""
    classes = frame.program.classes
    info = classes.get(node)
    if info is None:
        index = frame.program.project.next_index()
        scope = scope_of(frame.program, node, frame.scope)
        info = ClassInfo(index, node, frame.program, scope)
        # the body stores straight into the attributes
        info.attrs = info.scope.bound
        classes[node] = info
    return info


def default_values(node: FunctionNode) -> list[tuple[str, ast.expr]]:
    """Return the parameters that have a default, with it."""
    args = node.args
    positional = [a.arg for a in (*args.posonlyargs, *args.args)]
    pairs = list(zip(reversed(positional), reversed(args.defaults), strict=False))
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    return pairs + [(a.arg, default) for a, default in named if default is not None]


def decorator_name(node: ast.expr) -> str:
    """Return the last part of a decorator's name."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _flags(node: FunctionNode) -> frozenset[str]:
    if isinstance(node, ast.Lambda):
        return frozenset()
    names = {decorator_name(d) for d in node.decorator_list}
    flags = {"property" if n == "cached_property" else n for n in names & _FLAGS}
    if node.name == "__init_subclass__":
        flags.add("classmethod")
    return frozenset(flags)


def is_transparent(decorator: ast.expr) -> bool:
    """Return whether a decorator is known to leave the function as callable as it was."""
    return decorator_name(decorator) in _TRANSPARENT
