"""The values of the arguments of a call."""

from __future__ import annotations

import ast

from migrator.infer.calls import Args
from migrator.infer.containers import items_of
from migrator.infer.program import Evaluate, ExecutionState
from migrator.infer.values import BOTTOM, UNKNOWN, Map, Tuple, Value, join


def arguments(frame: ExecutionState, node: ast.Call, evaluate: Evaluate) -> Args:
    """Return what a call gives."""
    args = Args(line=(node.func.end_lineno or node.lineno))
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = evaluate(frame, argument.value)
            exact = [a for a in value.atoms if isinstance(a, Tuple)]
            if len(exact) == len(value.atoms) == 1 and args.rest is None and not value.unknown:
                args.positional.extend(exact[0].items)
            else:
                args.rest = join(args.rest or BOTTOM, items_of(value))
        elif args.rest is None:
            args.positional.append(evaluate(frame, argument))
        else:
            args.rest = join(args.rest, evaluate(frame, argument))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is not None:
            args.keywords[keyword.arg] = value
        else:
            _spread(args, value)
    return args


def _spread(args: Args, value: Value) -> None:
    """Add `**value` to arguments: by name where the keys are known."""
    maps = [a for a in value.ordered() if isinstance(a, Map)]
    if len(maps) == len(value.atoms) == 1 and not value.unknown and maps[0].rest == BOTTOM:
        args.keywords |= {k: v for k, v in maps[0].known if isinstance(k, str)}
    elif value != BOTTOM:
        found = [a.all() for a in maps]
        args.extra = join(args.extra or BOTTOM, *found) if found else UNKNOWN
