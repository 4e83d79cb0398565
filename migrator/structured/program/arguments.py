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
    arguments = bind_arguments(call, parameters)
    if arguments is None:
        name = ast.unparse(call.func).rpartition(".")[2]
        raise NotExpressible("ARGUMENTS", f"the arguments of {name} are not known", call)
    return arguments


def bind_arguments(call: ast.Call, parameters: tuple[str, ...]) -> dict[str, ast.expr] | None:
    """Return the arguments of a call by the parameters' names, None if they do not fit."""
    names = [parameter.rstrip("=") for parameter in parameters]
    if any(isinstance(argument, ast.Starred) for argument in call.args) or len(call.args) > len(
        names
    ):
        return None
    arguments = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg not in names or keyword.arg in arguments:
            return None
        arguments[keyword.arg] = keyword.value
    needed = {parameter for parameter in parameters if not parameter.endswith("=")}
    return arguments if needed <= arguments.keys() else None


def is_none(node: ast.expr) -> bool:
    """Return whether it is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None
