"""The arguments of calls by the names of the parameters."""

from __future__ import annotations

import ast

from ..refusals import NotExpressible


def arguments_of(call: ast.Call, *parameters: str) -> dict[str, ast.expr]:
    """Return the arguments of a call by the parameters' names.

    Raises
    ------
    NotExpressible
        if they do not fit
    """
    found = bound(call, parameters)
    if found is None:
        name = ast.unparse(call.func).rpartition(".")[2]
        raise NotExpressible("ARGUMENTS", f"the arguments of {name} are not known", call)
    return found


def bound(call: ast.Call, parameters: tuple[str, ...]) -> dict[str, ast.expr] | None:
    """Return the arguments of a call by the parameters' names, None if they do not fit."""
    names = [each.rstrip("=") for each in parameters]
    if any(isinstance(each, ast.Starred) for each in call.args) or len(call.args) > len(names):
        return None
    found = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg not in names or keyword.arg in found:
            return None
        found[keyword.arg] = keyword.value
    needed = {each for each in parameters if not each.endswith("=")}
    return found if needed <= found.keys() else None


def is_none(node: ast.expr) -> bool:
    """Return whether it is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None
