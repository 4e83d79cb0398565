"""Functions of `updateStateByKey` in a class for `transformWithState`."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Column, Expression, struct
from dstream_compat.native.names import argument_names
from dstream_compat.native.types import Long, NoneType, Tuple, Type, nullable, walk

from ..builder.builder import Builder, Start
from ..dataframes.chains import MethodCall
from ..dataframes.frames import Frame, leaves_of, unique
from ..program.graph import Node
from ..reading.arrival import mixing
from ..refusals import NotExpressible
from ..state.functions import (
    Function,
    StateInference,
    column_schemas,
    column_type,
)
from ..state.idle import unchanged
from ..state.processors import (
    StoredValue,
    class_name,
    column_types,
    needs,
    place,
    schema_of,
    state_name,
    updating_class,
    value_of,
)
from ..udfs.types import WIDE, Mixed, UnknownTypeError, argument, has_integers
from .aggregations import refuse_key

UNBOUNDED = (
    "an integer that the function makes may not fit into 64 bits: Python's integers have no bound, "
    "and a larger one is no value of Spark's"
)

ZERO_AS_FLOAT = "the function gives floats and the integer 0, which becomes 0.0"


def refusal_of(error: UnknownTypeError, node: Node) -> NotExpressible:
    """Return the end of a rewriting because a state has no type."""
    return NotExpressible("STATE_TYPE", error.text, error.node or node.call)


def check_numbers(builder: Builder, node: Node, *kinds: Type) -> None:
    """Refuse integers without a bound, of which Spark has 64 bits; say where 0 becomes 0.0."""
    if any(has_integers(each, WIDE) for each in kinds):
        builder.differs("INT_RANGE", UNBOUNDED, node.call)
    if any(isinstance(part, Mixed) for each in kinds for part in walk(each)):
        builder.note(f"line {node.call.func.end_lineno}: {ZERO_AS_FLOAT}")


def check_order(builder: Builder, node: Node) -> None:
    """Refuse to call a function with values whose order a step before it does not keep."""
    step = mixing(node.parents[0])
    if step is not None:
        builder.differs(
            "ARRIVAL_ORDER",
            f"line {node.call.func.end_lineno}: the function may depend on the order of the "
            f"values, which `{step.operator}` does not keep",
            step.call,
        )


def frame_of_updates(builder: Builder, node: Node, frame: Frame, given: ast.expr) -> Frame:
    """Return `transformWithState` with a class that calls the
    function for all keys in every batch.
    """
    if node in builder.written:
        return builder.written[node]
    function = builder.function(node, given)
    key, value = builder.pair(frame, node)
    refuse_key(key, node)
    builder.keeps(frame, node, key, value)
    frame = frame.selected()
    key, value = builder.pair(frame, node)
    try:
        number = len(leaves_of(key))
        initial = builder.frame(node.parents[1]).selected() if len(node.parents) > 1 else None
        made = _state(builder, node, given, value, initial)
        kind = column_type(made, "the state")
        key_types = column_types(key)
    except UnknownTypeError as error:
        raise refusal_of(error, node) from None
    check_numbers(builder, node, made)
    check_order(builder, node)
    _check_idle(builder, node, function, kind)
    wanted = function.name if isinstance(function, ast.FunctionDef) else node.name or "running"
    state = _stored(function, kind, frame.names[:number])
    if initial is not None:
        _check_initial(builder, node, initial, key)
    initial_names = None if initial is None else initial.names[number:]
    name = class_name(builder, wanted)
    values = value_of("row", value, frame.names[number:])
    expression = builder.source(function.body) if isinstance(function, ast.Lambda) else ""
    code = updating_class(
        name, state, frame.names[:number], values, function, expression, initial_names
    )
    place(builder, node, function, code, False)
    needs(builder)
    builder.starts[node] = Start("update")
    builder.written[node] = transformed(
        frame, name, key, key_types, state, kind, "ProcessingTime", initial
    )
    return builder.written[node]


def transformed(
    frame: Frame,
    name: str,
    key: Expression,
    key_types: list[str],
    state: StoredValue,
    kind: Type,
    time: str,
    initial: Frame | None,
) -> Frame:
    """Return the frame of a class for states."""
    number = len(leaves_of(key))
    keys = frame.names[:number]
    schema = ", ".join((schema_of(keys, key_types), state.schema))
    arguments = [
        f"{name}()",
        f'outputStructType="{schema}"',
        'outputMode="Update"',
        f'timeMode="{time}"',
    ]
    if initial is not None:
        columns = ", ".join(f'"{each}"' for each in initial.names[:number])
        chain = initial.code.call("groupBy", columns)
        calls = "".join(_call(each) for each in chain.calls)
        arguments.append(f"initialState={chain.root}{calls}")
    code = frame.code.call("groupBy", *(f'"{each}"' for each in keys))
    code = code.call("transformWithState", *arguments)
    names = (*keys, *state.names)
    return Frame(code, struct((key, columns_of(kind, state.names))), names, names)


def _call(call: MethodCall) -> str:
    if call.arguments is None:
        return f".{call.name}"
    return f".{call.name}({', '.join(str(each) for each in call.arguments)})"


def columns_of(kind: Type, names: tuple[str, ...]) -> Expression:
    """Return a value of a type, of columns."""
    if not isinstance(kind, Tuple):
        return Column(kind, names[0])
    fields = zip(kind.fields, names, strict=True)
    return struct(tuple(Column(each, name) for each, name in fields))


def _state(
    builder: Builder, node: Node, given: ast.expr, value: Expression, initial: Frame | None
) -> Type:
    """Return the type of the state, once the function makes no more of it."""
    inference = StateInference(builder, node)
    function = inference.function(given)
    arguments = function.node.args
    if arguments.defaults or argument_names(arguments) != [each.arg for each in arguments.args]:
        text = "the parameters of the function are not plain ones"
        raise UnknownTypeError(text, function.node)
    first: Type = NoneType()
    if initial is not None:
        first = nullable(argument(builder.pair(initial, node)[1], rows=False))
    return inference.kept_type(function, argument(value, rows=False), first)


def _check_idle(builder: Builder, node: Node, function: Function, kind: Type) -> None:
    from .state import knows

    if not unchanged(function, kind, knows(builder, node)):
        builder.differs(
            "IDLE",
            "the function may change a state without new values; intervals that a query misses, as "
            "while it is down, are not made up for",
            node.call,
        )


def _check_initial(builder: Builder, node: Node, initial: Frame, key: Expression) -> None:
    first, _ = builder.pair(initial, node)
    source = node.parents[1]
    known = source.operator == "parallelize"
    records = builder.module.constant(builder.arguments(source)["c"]) if known else None
    keys = [] if records is None else [pair[0] for pair in ast.literal_eval(records)]
    if not keys or len({*keys}) < len(keys):
        raise NotExpressible("INITIAL_STATE", "the initial state may have a key twice", node.call)
    for mine, other in zip(leaves_of(key), leaves_of(first), strict=False):
        same = type(mine.type) is type(other.type)
        if not same or (isinstance(mine.type, Long) and mine.type.bits != 64):
            raise NotExpressible(
                "INITIAL_STATE", "the keys of the initial state have another type", node.call
            )
    if len(leaves_of(key)) != len(leaves_of(first)):
        raise NotExpressible("INITIAL_STATE", "the initial state has other keys", node.call)


def _stored(function: Function, kind: Type, keys: tuple[str, ...]) -> StoredValue:
    """Return the state with its names."""
    old = function.args.args[1].arg
    name = state_name(old, *([] if isinstance(function, ast.Lambda) else _returned(function)))
    if name in keys:
        name = "state"
    if not isinstance(kind, Tuple):
        return StoredValue(name, (name,), f"{name} {column_schemas(kind)[0]}", False)
    names = tuple_names(function, len(kind.fields), name)
    names = unique((*keys, *names))[len(keys) :]
    return StoredValue(name, names, schema_of(names, column_schemas(kind)), True)


def _returned(function: ast.FunctionDef) -> list[str]:
    names = []
    for each in ast.walk(function):
        if isinstance(each, ast.Return) and isinstance(each.value, ast.Name):
            names.append(each.value.id)
    return names


def tuple_names(function: Function, number: int, name: str) -> tuple[str, ...]:
    """Return the names of the fields of a tuple that a function makes."""
    for each in ast.walk(function):
        if isinstance(each, ast.Tuple) and len(each.elts) == number:
            names = [part.id for part in each.elts if isinstance(part, ast.Name)]
            if len(set(names)) == number:
                return tuple(names)
    return tuple(f"{name}_{each + 1}" for each in range(number))
