"""What decorators make of functions."""

from __future__ import annotations

import ast

from migrator.infer.calls import Args, call
from migrator.infer.expressions import evaluate
from migrator.infer.functions import is_transparent
from migrator.infer.program import ExecutionState, FunctionInfo
from migrator.infer.values import BOTTOM, Function, LocalClass, LocalObj, Partial, Value, join, one


def decorated(frame: ExecutionState, info: FunctionInfo, decorators: list[ast.expr]) -> Value:
    """Return the value that a function's name is bound to, after its decorators."""
    value = one(Function(info))
    for decorator in reversed(decorators):
        wrapper = evaluate(frame, decorator)
        ours = frozenset(
            a for a in wrapper.atoms if isinstance(a, Function | LocalObj | LocalClass | Partial)
        )
        if ours:
            given = call(frame, Value(ours), Args([value], line=info.node.lineno))
            sure = ours == wrapper.atoms and not wrapper.unknown
            value = given if sure else join(value, given)
        elif "decorated" in info.flags or wrapper == BOTTOM or is_transparent(decorator):
            continue
        else:
            # what it does with the function is not known
            info.flags |= {"decorated"}
            info.program.touch()
    return value
