"""The functions that are given the RDD of a batch: whether they are given its time, too."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrator.infer.attributes import function_behind, parameters_of
from migrator.infer.values import UNKNOWN, Value
from migrator.model.events import RddFunction

from ..builder.builder import Builder
from ..outputs.foreach_rdd import TIME, uses_time
from ..program.bindings import loads
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible

_KINDS = {
    "builtin": "a built-in function",
    "method": "a bound method",
    "object": "an object",
    "partial": "a partial",
}
"""What Spark cannot ask for its number of parameters, or asks with `self`."""


def moment(builder: Builder) -> str:
    """Return the variable of the time of a batch, which is the same for all that it computes."""
    if not builder.moment:
        builder.moment = builder.module.free_name("batch_time")
    builder.needs_moment = True
    return builder.moment


def parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    """Return the names of the parameters that a function is given by their places."""
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]


def time_before(
    builder: Builder, block: Block, expression: ast.expr, rdds: int, is_output: bool
) -> list[str]:
    """Return what a function is given before its RDDs: the time of the batch, if it takes that.

    Parameters
    ----------
    builder : Builder
        of the job
    block : Block
        where the function is looked up
    expression : ast.expr
        the function
    rdds : int
        how many RDDs it is given
    is_output : bool
        whether it is one of a `foreachRDD`, which may have more parameters with defaults

    Raises
    ------
    NotExpressible
        if it is not known what it takes, or if it uses the time as more than a label
    """
    function, _ = builder.module.function_given(block, expression)
    if function is None:
        return _time_before_value(builder, expression, rdds)
    arguments = function.args
    names = parameters(function)
    other = arguments.vararg or arguments.kwarg or arguments.kwonlyargs
    before = len(names) - rdds
    if is_output and before > 1 and before - len(arguments.defaults) <= 1:
        # those behind the RDD have their defaults
        before = 1
    _check(before, bool(other), expression)
    if before == 0:
        return []
    uses_time(builder, function, names[0])
    return [moment(builder)]


def may_give_nothing(builder: Builder, block: Block, expression: ast.expr) -> bool:
    """Return whether a way through a function of a `transform` gives None instead of an RDD.

    DStreams leave out the batch then.

    Raises
    ------
    NotExpressible
        if a way through it gives something else that is no RDD
    """
    module = builder.module
    function: ast.AST | None = module.function_given(block, expression)[0]
    if function is None:
        info = function_behind(_value(module, expression)[0])
        function = None if info is None else info.node
    match function:
        case ast.Lambda(body=body):
            results, ends = [body], True
        case ast.FunctionDef(body=statements):
            inner = {
                part
                for node in ast.walk(function)
                if isinstance(node, ast.FunctionDef | ast.Lambda) and node is not function
                for part in ast.walk(node)
            }
            nodes = [each for each in ast.walk(function) if each not in inner]
            results = [
                node.value or ast.Constant(None) for node in nodes if isinstance(node, ast.Return)
            ]
            ends = _returns(statements)
        case _:
            return False
    parts = [part for result in results for part in _choices(result)]
    nothing = [part for part in parts if isinstance(part, ast.Constant) and part.value is None]
    if any(isinstance(part, _NO_RDD) and part not in nothing for part in parts):
        text = "the function may return what is no RDD"
        raise NotExpressible("TRANSFORM", text, expression)
    return bool(nothing) or not ends


_NO_RDD = (ast.Constant, ast.Dict, ast.JoinedStr, ast.List, ast.ListComp, ast.Set, ast.Tuple)


def _choices(value: ast.expr) -> list[ast.expr]:
    """Return the expressions of which one is the value of a conditional one."""
    if isinstance(value, ast.IfExp):
        return [*_choices(value.body), *_choices(value.orelse)]
    return [value]


def _returns(statements: Sequence[ast.stmt]) -> bool:
    """Return whether statements always end with a `return` or `raise`."""
    match statements[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=body, orelse=orelse):
            return bool(orelse) and _returns(body) and _returns(orelse)
        case ast.With(body=body):
            return _returns(body)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            own = _returns(orelse or body) and all(_returns(handler.body) for handler in handlers)
            return own or (bool(final) and _returns(final))
    return False


def _time_before_value(builder: Builder, expression: ast.expr, rdds: int) -> list[str]:
    """Return what is given before its RDDs to a function that is no `def` beside the job."""
    module = builder.module
    value, takes = _value(module, expression)
    if takes is None or takes.awaits or takes.kind == "unbound":
        text = "the function is not written in this file, and it is not known what it takes"
        raise NotExpressible("NO_SOURCE", text, expression)
    names, before = takes.parameters, takes.required - rdds
    # Spark counts parameters that have a default, where it can count
    counted = takes.kind == "function" or (takes.kind == "method" and before == 0)
    _check(before, counted and takes.required < len(names), expression)
    if takes.kind in _KINDS and (takes.kind != "method" or before == 0):
        what, name = _KINDS[takes.kind], ast.unparse(expression)
        builder.note(
            f"line {expression.lineno}: Spark could not call `{name}`, {what}; it is called now"
        )
    if before == 0:
        return []
    info = function_behind(value)
    if info is not None and info.node in module.parents and isinstance(info.node, ast.FunctionDef):
        uses_time(builder, info.node, names[0])
    elif info is None or loads(info.node, names[0]):
        builder.differs("BATCH_TIME", TIME.format(names[0]), expression)
    return [moment(builder)]


def _value(module: SourceModule, expression: ast.expr) -> tuple[Value, RddFunction | None]:
    """Return what an expression is, and what it takes; modules around are read if it has to be."""
    value = module.facts.values.get(expression, UNKNOWN)
    takes = parameters_of(value)
    if takes is None:
        value = module.program_around.facts.values.get(expression, UNKNOWN)
        takes = parameters_of(value)
    return value, takes


def _check(before: int, others: bool, expression: ast.expr) -> None:
    """Refuse a function with other parameters than those that it is given by DStreams."""
    if others or before not in (0, 1):
        text = "the function has other parameters than the time and the RDD"
        raise NotExpressible("PARAMETERS", text, expression)


def call_of(
    module: SourceModule, expression: ast.expr
) -> tuple[ast.expr, list[ast.expr], list[ast.keyword]]:
    """Return the function that is called, with the arguments of a partial that is written here."""
    match expression:
        case ast.Call(func=func, args=[called, *first], keywords=named) if (
            module.path_of(func) == "functools.partial"
            and isinstance(called, ast.Name | ast.Attribute)
            and not any(isinstance(each, ast.Starred) for each in first)
            and all(each.arg for each in named)
        ):
            return called, first, named
    return expression, [], []
