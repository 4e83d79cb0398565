"""Calls of builtins that need more than the values of their arguments."""

from __future__ import annotations

import ast

from migrator.infer.attributes import attribute, dynamic_attribute, set_attribute
from migrator.infer.modules import constant_prefix
from migrator.infer.names import lookup
from migrator.infer.program import ClassInfo, Evaluate, ExecutionState
from migrator.infer.values import BOTTOM, LocalObj, Obj, Ref, Value, join, one
from migrator.spark import api

_NAMES = frozenset({"super", "setattr", "getattr", "hasattr"})


def named_call(frame: ExecutionState, node: ast.Call, evaluate: Evaluate) -> Value | None:
    """Return the value of `super()` and `getattr(x, "name")`, which need the syntax of the call."""
    assert isinstance(node.func, ast.Name)
    called = node.func.id
    if called not in _NAMES or lookup(frame, called, 0) != one(Ref(f"builtins.{called}")):
        return None
    match called, node.args:
        case "super", _ if frame.function is not None:
            owner: ClassInfo | None = frame.function.owner
            if owner is not None:
                return one(LocalObj(owner, base_view=True))
        case "setattr", [base, ast.Constant(value=str(name)), value]:
            given = evaluate(frame, value)
            set_attribute(frame, evaluate(frame, base), name, given, node.lineno)
        case "getattr", [base, ast.Constant(value=str(name)), *rest] if len(rest) < 2:
            return _getattr(frame, node, name, evaluate)
        case "getattr", [base, text, *rest] if len(rest) < 2:
            found = evaluate(frame, base)
            for argument in node.args[1:]:
                evaluate(frame, argument)
            return dynamic_attribute(frame, found, constant_prefix(text)[0])
        case "hasattr", [base, ast.Constant(value=str(name))] if name.startswith("_j"):
            _note(frame, node, name, evaluate(frame, base))
    return None


def _getattr(frame: ExecutionState, node: ast.Call, name: str, evaluate: Evaluate) -> Value:
    base = evaluate(frame, node.args[0])
    _note(frame, node, name, base)
    found = attribute(frame, base, name, node.lineno)
    default = join(*(evaluate(frame, argument) for argument in node.args[2:]))
    sure = base.atoms and not base.unknown and all(_has(a, name) for a in base.atoms)
    return found if sure else join(found, default)


def _has(atom: object, name: str) -> bool:
    return isinstance(atom, Obj) and name in api.METHODS.get(atom.kind, ())


def _note(frame: ExecutionState, node: ast.Call, name: str, base: Value) -> None:
    """Note what a name in a text is taken from, as for an attribute that stands in its place."""
    program = frame.program
    found = program.lookups.get(node)
    if found is None:
        text = node.args[1]
        start = text.col_offset + 1
        found = ast.Attribute(node.args[0], name, ast.Load())
        found.lineno = found.end_lineno = text.lineno
        found.col_offset, found.end_col_offset = start, start + len(name.encode())
        program.lookups[node] = found
    receivers = program.facts.receivers
    receivers[found] = join(receivers.get(found, BOTTOM), base)
