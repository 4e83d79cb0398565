"""Calls of builtins that need more than the values of their arguments."""

from __future__ import annotations

import ast

from migrator.infer.attributes import attribute, dynamic_attribute, set_attribute
from migrator.infer.modules import constant_prefix
from migrator.infer.names import lookup
from migrator.infer.program import ClassInfo, Evaluate, Frame
from migrator.infer.values import LocalObj, Ref, Value, one


def named_call(frame: Frame, node: ast.Call, evaluate: Evaluate) -> Value | None:
    """`super()` and `getattr(x, "name")`, which need the syntax of the call."""
    assert isinstance(node.func, ast.Name)
    if node.func.id == "super" and frame.function is not None:
        owner: ClassInfo | None = frame.function.owner
        if owner is not None and lookup(frame, "super", 0) == one(Ref("builtins.super")):
            return one(LocalObj(owner, base_view=True))
    if node.func.id == "setattr" and len(node.args) == 3:
        match node.args[1]:
            case ast.Constant(value=str(name)):
                base, value = evaluate(frame, node.args[0]), evaluate(frame, node.args[2])
                set_attribute(frame, base, name, value, node.lineno)
    if node.func.id == "getattr" and len(node.args) in (2, 3):
        match node.args[1]:
            case ast.Constant(value=str(name)):
                base = evaluate(frame, node.args[0])
                for argument in node.args[2:]:
                    evaluate(frame, argument)
                return attribute(frame, base, name, node.lineno)
            case name_node:
                base = evaluate(frame, node.args[0])
                for argument in node.args[1:]:
                    evaluate(frame, argument)
                return dynamic_attribute(frame, base, constant_prefix(name_node)[0])
    return None
