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
    given = output.call.args[0] if output.call.args else output.call.keywords[0].value
    found, outer = module.function_given(output.block, given)
    if found is None:
        raise NotExpressible("NO_SOURCE", "the function is not written in this file", given)
    arguments = found.args
    names = [each.arg for each in [*arguments.posonlyargs, *arguments.args]]
    other = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults
    if other or len(names) not in (1, 2):
        raise NotExpressible(
            "PARAMETERS", "the function has other parameters than the time and the RDD", found
        )
    if isinstance(found, ast.Lambda):
        called = _called(module, output, found, names)
        if called is not None:
            return called
    time, rdd = (None, names[0]) if len(names) == 1 else (names[0], names[1])
    if isinstance(found, ast.Lambda):
        return BatchFunction(found, rdd, time, output.block)
    if isinstance(given, ast.Name) and len(loads(module.tree, given.id)) > 1:
        raise NotExpressible("FUNCTION_USES", f"`{given.id}` is used in several places", given)
    return BatchFunction(found, rdd, time, Block(found.body, (*outer.functions, found)))


def _called(
    module: SourceModule, output: Output, given: ast.Lambda, names: list[str]
) -> BatchFunction | None:
    """Return the function that a lambda does nothing but call with its own parameters."""
    match given.body:
        case ast.Call(func=ast.Name(id=name) as called, args=arguments, keywords=[]):
            passed = [each.id if isinstance(each, ast.Name) else None for each in arguments]
            found, block = module.function_given(output.block, called)
            if not isinstance(found, ast.FunctionDef) or not set(passed) <= {*names}:
                return None
            own = [each.arg for each in found.args.args]
            fits = len(own) == len(passed) and names[-1] in passed
            if not fits or len(loads(module.tree, name)) > 1:
                return None
            by_name = dict(zip(passed, own, strict=True))
            time = by_name.get(names[0]) if len(names) == 2 else None
            inner = Block(found.body, (*block.functions, found))
            return BatchFunction(found, by_name[names[-1]], time, inner)
    return None
