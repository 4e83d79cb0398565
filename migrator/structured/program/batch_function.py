"""Finds the function of a `foreachRDD`, and what its parameters are."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..refusals import NotExpressible
from .bindings import loads
from .graph import Output
from .modules import Block, SourceModule

Function = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True)
class BatchFunction:
    """The function of a `foreachRDD`.

    Parameters
    ----------
    rdd : str
        the parameter that is given the RDD
    time : str or None
        the parameter that is given the time, if there is one
    block : Block
        where names in it are looked up
    """

    node: Function
    rdd: str
    time: str | None
    block: Block

    @property
    def statements(self) -> list[ast.stmt]:
        """The statements of a `def`, none of a lambda."""
        return self.node.body if isinstance(self.node, ast.FunctionDef) else []


def batch_function(module: SourceModule, output: Output) -> BatchFunction:
    """Return the function that an output calls.

    Raises
    ------
    NotExpressible
        if it is not known
    """
    argument = output.call.args[0] if output.call.args else output.call.keywords[0].value
    function, outer = module.function_given(output.block, argument)
    if function is None:
        raise NotExpressible("NO_SOURCE", "the function is not written in this file", argument)
    arguments = function.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    other = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults
    if other or len(names) not in (1, 2):
        raise NotExpressible(
            "PARAMETERS", "the function has other parameters than the time and the RDD", function
        )
    if isinstance(function, ast.Lambda):
        called = _called_function(module, output, function, names)
        if called is not None:
            return called
    time, rdd = (None, names[0]) if len(names) == 1 else (names[0], names[1])
    if isinstance(function, ast.Lambda):
        return BatchFunction(function, rdd, time, output.block)
    if isinstance(argument, ast.Name) and len(loads(module.tree, argument.id)) > 1:
        raise NotExpressible(
            "FUNCTION_USES", f"`{argument.id}` is used in several places", argument
        )
    return BatchFunction(function, rdd, time, Block(function.body, (*outer.functions, function)))


def _called_function(
    module: SourceModule, output: Output, function_given: ast.Lambda, names: list[str]
) -> BatchFunction | None:
    """Return the function that a lambda does nothing but call with its own parameters."""
    match function_given.body:
        case ast.Call(func=ast.Name(id=name) as called, args=arguments, keywords=[]):
            passed = [
                argument.id if isinstance(argument, ast.Name) else None for argument in arguments
            ]
            function, block = module.function_given(output.block, called)
            if not isinstance(function, ast.FunctionDef) or not set(passed) <= {*names}:
                return None
            own = [argument.arg for argument in function.args.args]
            fits = len(own) == len(passed) and names[-1] in passed
            if not fits or len(loads(module.tree, name)) > 1:
                return None
            by_name = dict(zip(passed, own, strict=True))
            time = by_name.get(names[0]) if len(names) == 2 else None
            inner = Block(function.body, (*block.functions, function))
            return BatchFunction(function, by_name[names[-1]], time, inner)
    return None
