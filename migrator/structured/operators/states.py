"""`updateStateByKey` and `mapWithState`: aggregations, or classes for `transformWithState`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dstream_compat.native.expressions import Call, Expression, Struct, struct
from dstream_compat.native.names import Local, argument_names
from dstream_compat.native.reducers import Reduction
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import (
    Double,
    Long,
    NoneType,
    Nullable,
    String,
    Timestamp,
    Tuple,
    Type,
    nullable,
    present,
    tuple_of,
    walk,
    words,
)
from migrator.spark.since import METHODS

from ..builder.builder import Builder, Start
from ..dataframes.frames import Chain, Frame, columns_of, leaves_of, unique
from ..dataframes.named_rows import value_of
from ..dataframes.naming import is_telling
from ..program.bindings import uses
from ..program.graph import Node, Stage
from ..program.modules import SourceModule
from ..program.settings import PARTITIONS
from ..reading.arrival import mixing_step
from ..refusals import NotExpressible
from ..registry import operator
from ..state.cases import Running, RunningValue, keeps_idle_state, running_values
from ..state.processors import (
    Function,
    StateInference,
    StoredValue,
    class_name,
    column_schemas,
    column_type,
    column_types,
    key_of,
    mapping_class,
    needs,
    place,
    schema_of,
    state_name,
    stored_value,
    updating_class,
)
from ..udfs.names import JobNames
from ..udfs.types import WIDE, Mixed, UnknownTypeError, argument, has_integers
from .aggregations import COUNT, aggregates_by_key, reduction_of, refuse_key

TRANSFORM = "transformWithState"

UNBOUNDED = (
    "an integer that the function makes may not fit into 64 bits: Python's integers have no bound, "
    "and a larger one is no value of Spark's"
)

IDLE = (
    "the function may change a state without new values; intervals that a query misses, as "
    "while it is down, are not made up for"
)

ZERO_AS_FLOAT = "the function gives floats and the integer 0, which becomes 0.0"


@operator(
    "updateStateByKey",
    Stage.STATE,
    "updateFunc",
    "numPartitions=",
    "initialRDD=",
    reason="the state of each key is the same, and every batch has all keys",
    streams=("initialRDD",),
)
def update_state_by_key(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    function = builder.arguments(node)["updateFunc"]
    running_state = running_values(_local(builder, node, function), JobNames(builder.module, node))
    if running_state is None or len(node.parents) > 1:
        return _frame_of_updates(builder, node, function)
    aggregates = [
        _aggregate(builder, node, value, running_state, part) for part in running_state.parts
    ]
    if node in builder.carried:
        # an aggregation begins with nothing
        return _frame_of_updates(builder, node, function, is_running=True)
    kind = (
        tuple_of(*(aggregate.type for aggregate in aggregates))
        if running_state.is_tuple
        else aggregates[0].type
    )
    inputs = [part for aggregate in aggregates for part in aggregate.arguments]
    builder.keeps(frame, node, key, *inputs)
    return aggregates_by_key(node, frame, key, Reduction(tuple(aggregates), kind))


def _local(builder: Builder, node: Node, function: ast.expr) -> Local:
    """Return the function of a node, with the meaning of its names there."""
    return Local(
        builder.function(node.block, function), builder.module.environment_in(node.block), {}
    )


def _aggregate(
    builder: Builder, node: Node, value: Expression, running_state: Running, part: RunningValue
) -> Call:
    """Return a running value as an aggregate of all values so far."""
    for index in part.path:
        if not isinstance(value, Struct) or index >= len(value.fields):
            raise NotExpressible("STATE_FUNCTION", "the values have no such field", node.call)
        value = value.fields[index]
    if part.function == "count":
        return COUNT
    if part.function in ("max", "min"):
        if running_state.tests_truth and isinstance(value.type, String):
            raise NotExpressible("STATE_FUNCTION", "an empty text counts as no state", node.call)
        function = ast.copy_location(ast.Name(part.function, ast.Load()), node.call)
        (aggregate,) = reduction_of(builder, node, function, value).aggregates
        assert isinstance(aggregate, Call)
        return aggregate
    match value.type:
        case Long() if running_state.has_float:
            raise NotExpressible("MIXED_TYPES", "a sum of integers becomes a float", node.call)
        case Long(lo=1, hi=1):
            return COUNT
        case Long() as kind:
            if kind.bits != 32 and Code.INT_RANGE not in builder.accept:
                raise NotExpressible("INT_RANGE", Code.INT_RANGE.meaning, node.call)
            return Call(Long(), "sum", (value,))
        case Double() as kind:
            return Call(kind, "sum", (value,))
    raise NotExpressible("TYPE", f"a running sum of {words(value.type)}", node.call)


def refusal_of(error: UnknownTypeError, node: Node) -> NotExpressible:
    """Return the end of a rewriting because a state has no type."""
    return NotExpressible("STATE_TYPE", error.text, error.node or node.call)


def check_numbers(builder: Builder, node: Node, *kinds: Type) -> None:
    """Refuse integers without a bound, of which Spark has 64 bits; say where 0 becomes 0.0."""
    if any(has_integers(kind, WIDE) for kind in kinds):
        builder.differs("INT_RANGE", UNBOUNDED, node.call)
    if any(isinstance(part, Mixed) for kind in kinds for part in walk(kind)):
        builder.note(f"line {node.call.func.end_lineno}: {ZERO_AS_FLOAT}")


def check_order(builder: Builder, node: Node) -> None:
    """Refuse to call a function with values whose order a step before it does not keep."""
    step = mixing_step(node.parents[0])
    if step is not None:
        builder.differs(
            "ARRIVAL_ORDER",
            f"line {node.call.func.end_lineno}: the function may depend on the order of the "
            f"values, which `{step.operator}` does not keep",
            step.call,
        )


def selected_pair(builder: Builder, node: Node) -> tuple[Frame, Expression, Expression]:
    """Return the pairs that a function of states is given, as columns, with key and value."""
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    refuse_key(key, node)
    builder.keeps(frame, node, key, value)
    frame = frame.only_record_columns()
    return frame, *builder.pair(frame, node)


def state_chain(
    builder: Builder, node: Node, frame: Frame, keys: tuple[str, ...], *arguments: str
) -> Chain:
    """Return the code of a frame with a class for the states of keys.

    Raises
    ------
    NotExpressible
        if the Spark of the result has no such classes
    """
    builder.require(METHODS[TRANSFORM], f"`{node.operator}`, by `{TRANSFORM}`,", node.call)
    code = frame.code.call("groupBy", *(f'"{key}"' for key in keys))
    return code.call(TRANSFORM, *arguments)


def _frame_of_updates(
    builder: Builder, node: Node, update: ast.expr, is_running: bool = False
) -> Frame:
    """Return `transformWithState` with a class that calls the function for all keys always.

    Parameters
    ----------
    is_running : bool
        whether the state is running values, of which it is known that they fit
    """
    if node in builder.written:
        return builder.written[node]
    function = builder.function(node.block, update)
    frame, key, value = selected_pair(builder, node)
    keys = frame.names[: len(leaves_of(key))]
    try:
        initial = _initial_frame(builder, node)
        state_class = _state(builder, node, update, value, initial)
        kind = column_type(state_class, "the state")
        key_types = column_types(key)
    except UnknownTypeError as error:
        raise refusal_of(error, node) from None
    if not is_running:
        check_numbers(builder, node, state_class)
        check_order(builder, node)
    if not keeps_idle_state(_local(builder, node, update), kind, JobNames(builder.module, node)):
        builder.differs("IDLE", IDLE, node.call)
    base_name = function.name if isinstance(function, ast.FunctionDef) else node.name or "running"
    state = _stored_value(function, kind, keys)
    if initial is not None:
        _check_initial(builder, node, initial, key)
        if node in builder.carried:
            _check_type(node, initial.element, kind)
    initial_names = None if initial is None else initial.names[len(keys) :]
    name = class_name(builder, base_name)
    values = value_of("row", value, frame.names[len(keys) :])
    expression = builder.source(function.body) if isinstance(function, ast.Lambda) else ""
    code = updating_class(name, state, keys, values, function, expression, initial_names)
    place(builder, node, function, code, False)
    needs(builder)
    builder.starts[node] = Start("update")
    schema = ", ".join((schema_of(keys, key_types), state.schema))
    arguments = [
        f"{name}()",
        f'outputStructType="{schema}"',
        'outputMode="Update"',
        'timeMode="ProcessingTime"',
    ]
    if initial is not None:
        columns = ", ".join(f'"{name}"' for name in initial.names[: len(keys)])
        grouped_by_key = builder.printer.expression(initial.code.call("groupBy", columns))
        arguments.append(f"initialState={grouped_by_key}")
    chain, names = state_chain(builder, node, frame, keys, *arguments), (*keys, *state.names)
    element = struct((key, columns_of(kind, state.names)))
    builder.written[node] = Frame(chain, element, names, names)
    return builder.written[node]


def _initial_frame(builder: Builder, node: Node) -> Frame | None:
    """Return the states that keys begin with, if there are some."""
    carried = builder.carried.get(node)
    if carried is None:
        return (
            builder.frame(node.parents[1]).only_record_columns() if len(node.parents) > 1 else None
        )
    kinds = [carried.type(name) for name in ("key", "value")]
    tuples = [isinstance(kind, Tuple) for kind in kinds]
    if None in kinds or all(tuples):
        text = f"the states of {carried.folder} have no type that columns of a state have"
        raise NotExpressible("CARRIED_STATE", text, node.call)
    columns = [
        tuple(f"_{place + 1}" for place in range(len(kind.fields)))
        if isinstance(kind, Tuple)
        else (name,)
        for name, kind in zip(("key", "value"), kinds, strict=True)
    ]
    names = (*columns[0], *columns[1])
    values = [columns_of(kind, own) for kind, own in zip(kinds, columns, strict=True) if kind]
    code = Chain(f"{builder.session}.read").call("parquet", carried.path)
    if any(tuples):
        code = code.call("select", *('"key.*"', '"value"') if tuples[0] else ('"key"', '"value.*"'))
    return Frame(code, struct(tuple(values)), names, names)


def _check_type(node: Node, initial: Expression, kind: Type) -> None:
    """Refuse states that would become others in the columns of a state."""
    assert isinstance(initial, Struct)
    before, after = map(column_schemas, (initial.fields[1].type, kind))
    if before != after:
        text = f"the exported states are {', '.join(before)}, those of the job {', '.join(after)}"
        raise NotExpressible("CARRIED_STATE", text, node.call)


def _state(
    builder: Builder, node: Node, update: ast.expr, value: Expression, initial: Frame | None
) -> Type:
    """Return the type of the state, once the function makes no more of it."""
    inference = StateInference(builder, node)
    function = inference.function(update)
    arguments = function.node.args
    if arguments.defaults or argument_names(arguments) != [
        argument.arg for argument in arguments.args
    ]:
        text = "the parameters of the function are not plain ones"
        raise UnknownTypeError(text, function.node)
    first: Type = NoneType()
    if initial is not None:
        first = nullable(argument(builder.pair(initial, node)[1], rows=False))
    return inference.kept_type(function, argument(value, rows=False), first)


def _check_initial(builder: Builder, node: Node, initial: Frame, key: Expression) -> None:
    first, _ = builder.pair(initial, node)
    if node not in builder.carried:
        _check_keys(builder, node)
    for mine, other in zip(leaves_of(key), leaves_of(first), strict=False):
        kind = present(mine.type)
        if type(kind) is not type(other.type) or (isinstance(kind, Long) and kind.bits != 64):
            raise NotExpressible(
                "INITIAL_STATE", "the keys of the initial state have another type", node.call
            )
    if len(leaves_of(key)) != len(leaves_of(first)):
        raise NotExpressible("INITIAL_STATE", "the initial state has other keys", node.call)


def _check_keys(builder: Builder, node: Node) -> None:
    source = node.parents[1]
    is_constant = source.operator == "parallelize"
    records = builder.module.constant(builder.arguments(source)["c"]) if is_constant else None
    keys = [] if records is None else [pair[0] for pair in ast.literal_eval(records)]
    if not keys or len({*keys}) < len(keys):
        raise NotExpressible("INITIAL_STATE", "the initial state may have a key twice", node.call)


def _stored_value(function: Function, kind: Type, keys: tuple[str, ...]) -> StoredValue:
    """Return the state with its names."""
    old = function.args.args[1].arg
    name = state_name(old, *([] if isinstance(function, ast.Lambda) else _returned_names(function)))
    if name in keys:
        name = "state"
    names: tuple[str, ...] = (name,)
    if isinstance(kind, Tuple):
        names = _tuple_names(function, len(kind.fields), name)
        names = unique((*keys, *names))[len(keys) :]
    return stored_value(name, names, kind)


def _returned_names(function: ast.FunctionDef) -> list[str]:
    names = []
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            names.append(node.value.id)
    return names


def _tuple_names(function: Function, number: int, name: str) -> tuple[str, ...]:
    """Return the names of the fields of a tuple that a function makes."""
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple) and len(node.elts) == number:
            names = [part.id for part in node.elts if isinstance(part, ast.Name)]
            if len(set(names)) == number:
                return tuple(names)
    return tuple(f"{name}_{index + 1}" for index in range(number))


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
    state = stored_value(name, names, kind)
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
    spec = builder.arguments(node)["spec"]
    arguments = spec_arguments(builder.module, spec, spec)
    if "initialState" in arguments:
        text = "the initial state of `mapWithState` is not rewritten"
        raise NotExpressible("INITIAL_STATE", text, spec)
    if "numPartitions" in arguments:
        builder.note(f"line {spec.lineno}: `{node.operator}` {PARTITIONS}")
    function = builder.function(node.block, arguments["function"])
    if not isinstance(function, ast.FunctionDef) or function.args.defaults:
        text = "the state function must be a `def` without defaults"
        raise NotExpressible("STATE_FUNCTION", text, spec)
    if len(function.args.args) not in (3, 4):
        text = "the state function must take three or four parameters"
        raise NotExpressible("STATE_FUNCTION", text, spec)
    return Spec(function, arguments["function"], arguments.get("timeout"))


def spec_arguments(module: SourceModule, spec: ast.expr, place: ast.expr) -> dict[str, ast.expr]:
    """Return what a StateSpec is given, by the names of its methods.

    Raises
    ------
    NotExpressible
        if it is not written in the call; that is said of a place
    """
    arguments: dict[str, ast.expr] = {}
    while (
        isinstance(spec, ast.Call)
        and isinstance(spec.func, ast.Attribute)
        and spec.func.attr in ("function", "timeout", "initialState", "numPartitions")
        and len(spec.args) == 1
        and not spec.keywords
    ):
        arguments.setdefault(spec.func.attr, spec.args[0])
        if spec.func.attr == "function" and module.is_old(spec.func.value, "StateSpec"):
            return arguments
        spec = spec.func.value
    raise NotExpressible("STATE_SPEC", "the StateSpec is not written in the call", place)


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
