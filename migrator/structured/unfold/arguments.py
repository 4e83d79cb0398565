"""Arguments that are computed where an output or a context is made, and used later in the result.

They get names, so that they are computed where they were.
"""

from __future__ import annotations

import ast

from migrator.spark.kinds import STREAMS

from ..program.arguments import bound
from ..program.modules import SourceModule
from ..program.values import holds, is_in_batch
from ..registry import OUTPUTS
from .edits import has_long_text, with_name

_NAMES = {"num": "number", "batchDuration": "interval"}
_LATE = frozenset(("num", "prefix", "batchDuration"))


def unfold_argument(module: SourceModule) -> SourceModule | None:
    """Return a module in which one such argument has a name; None if all have."""
    for call in ast.walk(module.tree):
        if not isinstance(call, ast.Call) or is_in_batch(module, call):
            continue
        statement = module.parents[call]
        if not isinstance(statement, ast.Expr | ast.Assign):
            continue
        for parameter, value in _given(module, call).items():
            if parameter in _LATE and not isinstance(value, ast.Constant | ast.Name):
                name = module.free_name(_NAMES.get(parameter, parameter))
                before = module.lines[statement.lineno - 1][: statement.col_offset]
                if before.strip() or has_long_text(ast.walk(value)):
                    return None
                lines = module.lines_of(value)
                if lines[0] != lines[1] and module.comments_in(*lines):
                    return None
                return with_name(module, statement, value, name)
    return None


def _given(module: SourceModule, call: ast.Call) -> dict[str, ast.expr]:
    """Return the arguments of a call of an output, or of StreamingContext."""
    match call.func:
        case ast.Attribute(value=owner, attr=method) if method in OUTPUTS:
            if holds(module.facts.values.get(owner), STREAMS):
                return bound(call, OUTPUTS[method][0]) or {}
    if module.is_old(call.func, "StreamingContext"):
        return bound(call, ("sparkContext=", "batchDuration=", "jssc=")) or {}
    return {}
