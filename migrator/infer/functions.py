"""Finds or makes the summary of a function or class."""

from __future__ import annotations

import ast

from migrator.infer.program import ClassInfo, ExecutionState, FunctionInfo, FunctionNode
from migrator.infer.scopes import scope_of

# decorators that choose a function by the class of its first argument
DISPATCHERS = frozenset({"singledispatch", "singledispatchmethod"})
# decorators that leave the function as callable as it was
_TRANSPARENT = {
    "staticmethod",
    "classmethod",
    "property",
    "cached_property",
    "abstractmethod",
    "contextmanager",
    "wraps",
    "override",
    "lru_cache",
    "cache",
    "setter",
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
