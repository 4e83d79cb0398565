"""Gives functions the types that only their docstrings name; what is made of them is probable."""

from __future__ import annotations

import ast

from migrator.infer.docstring_types import DocumentedTypes, documented_types, type_names
from migrator.infer.program import ExecutionState, FunctionInfo
from migrator.infer.scopes import parameter_names
from migrator.infer.values import NONE, Ref, Step, Value, join, obj
from migrator.spark import api
from migrator.spark.kinds import STREAMING

# a name alone counts where the module does not bind it
_CLASSES = {path.rpartition(".")[2]: path for path, k in api.INSTANCES.items() if k in STREAMING}


def add_documented(info: FunctionInfo) -> None:
    """Add the types that docstrings name to parameters and results of which nothing is known."""
    text = _docstring(info.node)
    of_class = ""
    if info.owner is not None and info.name == "__init__":
        of_class = _docstring(info.owner.node)
    # few texts name such a class, and all of them have this in their names
    found = [documented_types(t) for t in (text, of_class) if "Stream" in t]
    for types in found:
        _add_parameters(info, types)
    if "Stream" in text:
        _add_result(info, found[0])


def _docstring(node: ast.AST) -> str:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return (ast.get_docstring(node, clean=False) or "") if isinstance(node, kinds) else ""


def _add_parameters(info: FunctionInfo, types: DocumentedTypes) -> None:
    args = info.node.args
    annotated = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs) if a.annotation}
    for name in parameter_names(info.node):
        text = types.parameters.get(name)
        known = info.params.get(name)
        if text is None or name in annotated or (known is not None and known.atoms):
            continue
        value = _instance(info, text)
        if value is not None:
            info.documented.add(name)
            info.program.grow(info.params, name, value)


def _add_result(info: FunctionInfo, types: DocumentedTypes) -> None:
    if types.result is None or getattr(info.node, "returns", None) is not None:
        return
    if info.result.atoms and not (info.result == NONE and _is_stub(info.node)):
        return
    # what derived classes give is known better
    family = info.owner.descendants() if info.owner is not None else []
    if any(info.name in derived.attrs for derived in family):
        return
    value = _instance(info, types.result)
    if value is not None:
        info.documented.add("return")
        info.program.grow_result(info, value)


def _is_stub(node: ast.AST) -> bool:
    body = getattr(node, "body", [])
    return all(isinstance(statement, ast.Pass | ast.Expr) for statement in body)


def _instance(info: FunctionInfo, text: str) -> Value | None:
    """Return an instance of what a text names, None if it is not certainly of Spark Streaming."""
    found = []
    frame = ExecutionState(info.program, info.program.module, {})
    for name in type_names(text):
        path = _path(frame, name)
        kind = None if path is None else api.INSTANCES.get(api.canonical(path))
        if kind is None or kind not in STREAMING:
            return None
        step = Step(info.node.lineno, f"documented as {kind}", info.program)
        found.append(obj(kind, step, probable=True))
    return join(*found) if found else None


def _path(frame: ExecutionState, name: str) -> str | None:
    """Return the full path that a name stands for in a module, None if it is the module's own."""
    head, dot, rest = name.partition(".")
    bound = frame.program.module.bound.get(head)
    if bound is None:
        return name if dot else _CLASSES.get(name)
    match list(bound.atoms):
        case [Ref(path=path)] if not bound.unknown:
            return f"{path}{dot}{rest}"
    return None
