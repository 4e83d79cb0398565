"""The functions that are given the RDD of a batch: their arguments, and what they do without input.

A query needs ticks for what a job does in intervals without input.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrator.infer.attributes import function_behind, parameters_of
from migrator.infer.scopes import locals_of
from migrator.infer.values import UNKNOWN, Value
from migrator.model.events import RddFunction

from ..builder.builder import Builder
from ..outputs.foreach_rdd import TIME, uses_time
from ..program.arguments import bind_arguments
from ..program.bindings import loads
from ..program.graph import EITHER, MQTT, TICK_SOURCE, Node, Output
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible
from ..registry import OUTPUTS
from .methods import SHUFFLES, WHOLE, WINDOWS, spec_arguments_of

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


_FROM_OTHERS = frozenset(("cogroup", "fullOuterJoin", "rightOuterJoin"))
_GIVES_NOTHING = (SHUFFLES - _FROM_OTHERS - {"countByValue"}) | frozenset(
    (
        *("cache", "coalesce", "distinct", "filter", "flatMap", "flatMapValues", "intersection"),
        *("keys", "map", "mapValues", "partitionBy", "persist", "repartition", "sample", "sortBy"),
        *("sortByKey", "subtract", "subtractByKey", "values", "zipWithIndex", "zipWithUniqueId"),
    )
)
"""The methods of RDDs that give no record if what they are called on has none."""


def acts_without_input(builder: Builder, output: Output) -> str:
    """Return the method for which an output is given in intervals without input; empty if none."""
    for node in output.node.path():
        if _gives_without_records(builder, node):
            return node.operator
    if output.method != "foreachRDD":
        return ""
    arguments = bind_arguments(output.call, OUTPUTS[output.method][0])
    assert arguments is not None
    return output.method if _acts(builder, output.block, arguments["func"], 1) else ""


def has_partitions(node: Node) -> bool:
    """Return whether the RDD of a DStream has partitions in an interval without input.

    Those of files and of receivers have none then, and neither has what is made of them alone.
    """
    if node.operator == MQTT:
        return False
    if node.operator == EITHER:
        first, other = map(has_partitions, node.parents)
        if first != other:
            text = f"the RDDs of `{node.name}` have partitions without input in one branch only"
            raise NotExpressible("BRANCH", text, node.call)
        return first
    if node.is_source:
        return node.operator in ("createDirectStream", TICK_SOURCE)
    if node.operator in WHOLE and node.operator != "window":
        return True
    return any(map(has_partitions, node.parents))


def _gives_without_records(builder: Builder, node: Node) -> bool:
    """Return whether a stream may have records though what it is made of has none."""
    match node.operator:
        case "updateStateByKey":
            return True
        case "count" | "glom" | "mapPartitions" | "mapPartitionsWithIndex":
            return has_partitions(node.parents[0])
        case "mapWithState":
            return "timeout" in spec_arguments_of(builder.module, node)
        case "transform" | "transformWith":
            function = (node.call.args or [keyword.value for keyword in node.call.keywords])[0]
            return _acts(builder, node.block, function, len(node.parents))
    return node.operator in WINDOWS


def _acts(builder: Builder, block: Block, expression: ast.expr, rdds: int) -> bool:
    """Return whether a function may do or give something for RDDs without records."""
    try:
        function = builder.function(block, expression)
    except NotExpressible:
        return True
    names = parameters(function)[-rdds:]
    if isinstance(function, ast.Lambda):
        return not _is_idle(function.body, names)
    own = locals_of(function)
    for statement in function.body:
        match statement:
            case ast.Expr(value=value) | ast.Return(value=value) if value is not None:
                if not _is_idle(value, names):
                    return True
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in own and _is_empty(
                value, names
            ):
                names = [*names, name]
            case ast.If(orelse=[], test=test) if _is_filled(test, names, True):
                pass
            case ast.If(test=test, body=[*before, ast.Return(value=value)]) if _is_filled(
                test, names, False
            ):
                return bool(before) or not (value is None or _is_idle(value, names))
            case ast.Global() | ast.Pass():
                pass
            case _:
                return True
    return False


def _is_idle(node: ast.expr, names: list[str]) -> bool:
    """Return whether an expression does nothing if RDDs have no records."""
    match node:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Attribute(attr="foreach", value=owner)):
            return _is_empty(owner, names)
    return _is_empty(node, names)


def _is_empty(node: ast.expr, names: list[str]) -> bool:
    """Return whether an expression is an RDD that has no records then."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Attribute(attr="union", value=owner), args=[other]):
            return _is_empty(owner, names) and _is_empty(other, names)
        case ast.Call(func=ast.Attribute(attr=method, value=owner)) if method in _GIVES_NOTHING:
            operands = [*node.args, *(keyword.value for keyword in node.keywords)]
            return _is_empty(owner, names) and not any(map(_calls, operands))
    return False


def _calls(node: ast.expr) -> bool:
    """Return whether an argument calls something itself."""
    parts = () if isinstance(node, ast.Lambda) else ast.walk(node)
    return any(isinstance(part, ast.Call) for part in parts)


def _is_filled(test: ast.expr, names: list[str], filled: bool) -> bool:
    """Return whether a test holds only if an RDD has records, or if it has none."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_filled(inner, names, not filled)
        case ast.Call(func=ast.Attribute(attr="isEmpty", value=rdd)):
            return not filled and _is_empty(rdd, names)
        case ast.Call(func=ast.Attribute(attr="count" | "take" | "collect", value=rdd)):
            return filled and _is_empty(rdd, names)
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return filled and _is_filled(inner, names, filled)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=0)]):
            operators = (ast.Gt, ast.NotEq) if filled else (ast.Eq, ast.LtE)
            return isinstance(op, operators) and _is_filled(left, names, True)
        case ast.BoolOp(op=ast.And(), values=[first, *others]) if filled:
            # what stands before is computed in any case
            plain = not any(isinstance(node, ast.Call | ast.NamedExpr) for node in ast.walk(first))
            return _is_filled(first, names, True) or (
                plain and any(_is_filled(other, names, True) for other in others)
            )
    return False
