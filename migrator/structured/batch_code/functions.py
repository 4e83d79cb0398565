"""The functions that are given the RDD of a batch: whether they are given its time, too."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..outputs.foreach_rdd import time_of_batch, uses_time
from ..program.modules import Block
from ..refusals import NotExpressible


def parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    """Return the names of the parameters that a function is given by their places."""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)]


def arguments_before(builder: Builder, block: Block, given: ast.expr, rdds: int) -> str:
    """Return what a function is given before its RDDs: the time of the batch and a comma, if it
    takes that.

    Parameters
    ----------
    builder : Builder
        of the job
    block : Block
        where the function is looked up
    given : ast.expr
        the function
    rdds : int
        how many RDDs it is given

    Raises
    ------
    NotExpressible
        if its source is not known, or if it uses the time as more than a label
    """
    function = builder.function_in(block, given)
    arguments = function.args
    names = parameters(function)
    other = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults
    if other or len(names) - rdds not in (0, 1):
        text = "the function has other parameters than the time and the RDD"
        raise NotExpressible("PARAMETERS", text, given)
    if len(names) == rdds:
        return ""
    uses_time(builder, function, names[0])
    return f"{time_of_batch(builder)}, "
