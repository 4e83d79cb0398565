"""`mapWithState`: a class for `transformWithState` that has the function as a method."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dstream_compat.native.expressions import Expression
from dstream_compat.native.types import (
    NoneType,
    Nullable,
    Timestamp,
    Tuple,
    Type,
    nullable,
    present,
)

from ..builder.builder import Builder, Start
from ..dataframes.frames import Frame, columns_of, leaves_of, unique
from ..dataframes.named_rows import value_of
from ..dataframes.naming import is_telling
from ..program.bindings import uses
from ..program.graph import Node, Stage
from ..program.settings import PARTITIONS
from ..refusals import NotExpressible
from ..registry import operator
from ..state.functions import StateInference, column_schemas, column_type
from ..state.mapping_class import mapping_class
from ..state.processors import (
    StoredValue,
    class_name,
    key_of,
    needs,
    place,
    schema_of,
    state_name,
)
from ..udfs.types import UnknownTypeError, argument
from .update_state_by_key import check_numbers, check_order, refusal_of, selected_pair, state_chain


@dataclass(frozen=True)
class Spec:
    """A StateSpec.

    Parameters
    ----------
    given : ast.expr
        the function as the job gives it
    timeout : ast.expr, optional
        its timeout in seconds
    """

    function: ast.FunctionDef
    given: ast.expr
    timeout: ast.expr | None


@operator(
    "mapWithState",
    Stage.STATE,
    "spec",
    reason="the function is called for each record, in the order of the values of a key",
)
def map_with_state(builder: Builder, node: Node) -> Frame:
    if node in builder.written:
        return builder.written[node]
    if node in builder.carried:
        text = "the initial state of `mapWithState` is not rewritten as a DataFrame"
        raise NotExpressible("CARRIED_STATE", text, node.call)
    frame, key, value = selected_pair(builder, node)
    spec = spec_of(builder, node)
    function = spec.function
    has_time = len(function.args.args) == 4
    _check_times(builder, node, spec)
    try:
        state_kind, result = _types(builder, node, spec, key, value)
        kind = column_type(state_kind, "the state")
        if isinstance(result, Nullable | NoneType) and not has_time:
            raise UnknownTypeError("the function may return None, which is a record of its own")
        column_kind = column_type(present(result), "what the function returns", optional=True)
    except UnknownTypeError as error:
        raise refusal_of(error, node) from None
    check_numbers(builder, node, state_kind, result)
    check_order(builder, node)
    name = _state_name(function)
    names: tuple[str, ...] = (name,)
    if isinstance(kind, Tuple):
        names = tuple(f"{name}_{place + 1}" for place in range(len(kind.fields)))
    state = StoredValue(
        name, names, schema_of(names, column_schemas(kind)), isinstance(kind, Tuple)
    )
    results = _result_names(
        function, len(column_kind.fields) if isinstance(column_kind, Tuple) else 1
    )
    number = len(leaves_of(key))
    code = mapping_class(
        builder,
        class_name(builder, function.name),
        function,
        state,
        key_of(key, number),
        value_of("row", value, frame.names[number:]),
        results,
        isinstance(column_kind, Tuple),
        spec.timeout,
    )
    place(builder, node, function, code, len(uses(builder.module.tree, function.name)) == 1)
    needs(builder)
    builder.starts[node] = Start("append")
    schema = schema_of(results, column_schemas(column_kind))
    time = "ProcessingTime" if has_time or spec.timeout is not None else "None"
    chain = state_chain(
        builder,
        node,
        frame,
        frame.names[:number],
        f"{code.split('(')[0].removeprefix('class ')}()",
        f'outputStructType="{schema}"',
        'outputMode="Append"',
        f'timeMode="{time}"',
    )
    builder.written[node] = Frame(chain, columns_of(column_kind, results), results, results)
    return builder.written[node]


def spec_of(builder: Builder, node: Node) -> Spec:
    """Return the StateSpec that is given."""
    spec_node = builder.arguments(node)["spec"]
    timeout: ast.expr | None = None
    call = spec_node
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        method, owner = call.func.attr, call.func.value
        if method == "function" and builder.module.is_old(owner, "StateSpec"):
            if len(call.args) != 1 or call.keywords:
                break
            function = builder.function(node.block, call.args[0])
            if not isinstance(function, ast.FunctionDef) or function.args.defaults:
                raise NotExpressible(
                    "STATE_FUNCTION", "the state function must be a `def` without defaults", call
                )
            if len(function.args.args) not in (3, 4):
                raise NotExpressible(
                    "STATE_FUNCTION", "the state function must take three or four parameters", call
                )
            return Spec(function, call.args[0], timeout)
        if method == "timeout" and len(call.args) == 1 and not call.keywords:
            timeout = call.args[0]
        elif method == "initialState":
            raise NotExpressible(
                "INITIAL_STATE", "the initial state of `mapWithState` is not rewritten", call
            )
        elif method == "numPartitions":
            builder.note(f"line {call.lineno}: `{node.operator}` {PARTITIONS}")
        else:
            break
        call = owner
    raise NotExpressible("STATE_SPEC", "the StateSpec is not written in the call", spec_node)


def uses_time(function: ast.FunctionDef) -> bool:
    """Return whether a function of four parameters uses the first one, which is the batch time."""
    return bool(uses(function, function.args.args[0].arg))


def _check_times(builder: Builder, node: Node, spec: Spec) -> None:
    name = spec.function.name
    if len(spec.function.args.args) == 4 and uses_time(spec.function):
        builder.differs(
            "BATCH_TIME",
            f"the batch time of `{name}` is the time of the trigger, which is no multiple of the "
            "interval",
            node.call,
        )
    if spec.timeout is not None:
        builder.differs(
            "TIMEOUT",
            f"the timeout of `{name}` counts from the time of the trigger, and a change of a state "
            "that times out raises no error",
            node.call,
        )


def _types(
    builder: Builder, node: Node, spec: Spec, key: Expression, value: Expression
) -> tuple[Type, Type]:
    """Return the types of the state and of the results, once the function makes no more of them."""
    kinds = [argument(part, rows=False) for part in (key, value)]
    if spec.timeout is not None:
        kinds[1] = nullable(kinds[1])
    if len(spec.function.args.args) == 4:
        kinds.insert(0, Timestamp())
    inference = StateInference(builder, node)
    kind = inference.result_type(inference.function(spec.given), kinds)
    return inference.kept, kind


def _state_name(function: ast.FunctionDef) -> str:
    """Return the name of what the function keeps."""
    state = function.args.args[-1].arg
    names = []
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=[ast.Name(id=kept)]
            ) if name == state:
                names.append(kept)
    new_name = state_name(*names)
    return f"{new_name}_state" if new_name == function.name else new_name


def _result_names(function: ast.FunctionDef, number: int) -> tuple[str, ...]:
    names = [f"field_{place + 1}" for place in range(number)]
    if number == 1:
        names = ["value"]
    for node in ast.walk(function):
        if not isinstance(node, ast.Return) or node.value is None:
            continue
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        if len(parts) != number:
            continue
        for place_, part in enumerate(parts):
            match part:
                case ast.Name(id=name) if is_telling(name):
                    names[place_] = name
                case ast.Call(func=ast.Name(id="min" | "max" as name)):
                    names[place_] = name
                case _ if _is_mean(part):
                    names[place_] = "mean"
                case (
                    ast.BinOp(ast.Constant(value=str()), ast.Mod(), ast.Name(id=name))
                    | ast.Call(func=ast.Attribute(value=ast.Name(id=name)))
                ) if is_telling(name):
                    # a form of this value
                    names[place_] = name
    return unique(tuple(names))


def _is_mean(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="round"), args=[inner, *_]):
            return _is_mean(inner)
        case ast.BinOp(
            ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=summed)]),
            ast.Div(),
            ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=counted)]),
        ):
            return summed == counted
    return False
