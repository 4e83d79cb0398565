"""Writes classes for `transformWithState`: a function of `mapWithState` becomes a method."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Collection
from dataclasses import dataclass

from dstream_compat.native.expressions import Expression, Struct
from dstream_compat.native.names import Known, Local
from dstream_compat.native.schemas import schema
from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    Never,
    NoneType,
    Nullable,
    Tuple,
    Type,
    nullable,
    present,
    walk,
    words,
)
from migrator.source.spans import with_spans

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..checks import uses_locals
from ..dataframes.frames import leaves_of
from ..dataframes.named_rows import field_of
from ..dataframes.naming import is_telling
from ..program.graph import Node
from ..refusals import NotExpressible
from ..udfs.expressions import TypeInference
from ..udfs.names import JobNames, Names
from ..udfs.types import (
    ANY,
    ZERO,
    Mixed,
    UnknownTypeError,
    map_children,
    python_type,
    stored_type,
    union_of,
    widen,
)
from ..windows.durations import duration

Function = ast.Lambda | ast.FunctionDef
ROUNDS = 12


@dataclass(frozen=True)
class KeyState(Type):
    """The `State` of a key, which a function of `mapWithState` is given."""

    word = "a state"


class StateInference(TypeInference):
    """Follows a function of states on types."""

    pure = False

    def __init__(self, builder: Builder, node: Node) -> None:
        environment = builder.module.environment_in(node.block)
        super().__init__(JobNames(builder.module, node).lookup, environment)
        self.kept: Type = Never()

    def function(self, expression: ast.expr) -> Local:
        """Return a function that is given to the node."""
        function_found = super().function(expression)
        if not isinstance(function_found, Local):
            raise UnknownTypeError("the function is not written in this file")
        return function_found

    def kept_type(self, function: Local, value: Type, first: Type) -> Type:
        """Return what a function of `updateStateByKey` keeps, with some first state."""
        state = first
        for round_ in range(ROUNDS):
            kind = union_of(state, self.call(function, [Array(value), state]))
            if kind == state:
                return present(state)
            state = widen(state, kind) if round_ > 1 else kind
        raise UnknownTypeError("the state has other types in each batch")

    def result_type(self, function: Local, kinds: list[Type]) -> Type:
        """Return what a function of `mapWithState` returns; `kept` is what it keeps then."""
        for round_ in range(ROUNDS):
            before = self.kept
            kind = self.call(function, [*kinds, KeyState()])
            if self.kept == before:
                if self.changes and any(isinstance(part, Array) for part in walk(self.kept)):
                    text = "the function changes a list in place, and the state is a list"
                    raise UnknownTypeError(text)
                return kind
            self.kept = widen(before, self.kept) if round_ > 1 else self.kept
        raise UnknownTypeError("the state has other types in each batch")

    def method(self, owner: Type, node: ast.Call, kinds: list[Type], keywords: set[str]) -> Type:
        if not isinstance(owner, KeyState):
            return super().method(owner, node, kinds, keywords)
        assert isinstance(node.func, ast.Attribute)
        match node.func.attr, kinds:
            case "get", []:
                return self.kept
            case "getOption", []:
                return nullable(self.kept)
            case "exists" | "isTimingOut", []:
                return Boolean()
            case "remove", []:
                return NoneType()
            case "update", [kept]:
                self.kept = union_of(self.kept, kept)
                return NoneType()
        raise UnknownTypeError(f"`{node.func.attr}` of a state is not known")

    def effect(self, call: ast.Call, names: Names) -> Names:
        match call.func:
            case ast.Attribute(value=ast.Name(id=name)) if names.get(name) == KeyState():
                self.type(call, names)
                return names
            case ast.Name(id="print") if self.value(call.func, names) == Known("print"):
                return names
        return super().effect(call, names)


def column_type(kind: Type, what: str, optional: bool = False) -> Type:
    """Return the type of Spark of what functions of states keep or return.

    Parameters
    ----------
    what : str
        what the values are, for messages
    optional : bool
        whether fields of a tuple may be None

    Raises
    ------
    UnknownTypeError
        if there is none
    """
    kind_stored = stored_type(_plain(kind), what, ANY)
    fields = kind_stored.fields if isinstance(kind_stored, Tuple) else (kind_stored,)
    if any(isinstance(present(field), Tuple) for field in fields):
        raise UnknownTypeError(f"{what} is a tuple of tuples")
    for field in fields:
        inner = present(field) if optional and isinstance(kind_stored, Tuple) else field
        if any(isinstance(part, Nullable | Tuple) for part in walk(inner)):
            raise UnknownTypeError(f"{what} is {words(kind)}")
    return kind_stored


def _plain(kind: Type) -> Type:
    """Return a type with all integers as Spark has them here; the constant 0 may stand for 0.0."""
    match kind:
        case Long():
            return Long()
        case Mixed(kinds=kinds):
            floats = any(isinstance(kind, Double) for kind in kinds)
            return union_of(*(_plain(kind) for kind in kinds if not (floats and kind == ZERO)))
    return map_children(kind, _plain)


def column_schemas(kind: Type) -> list[str]:
    """Return the types of the columns of a stored value, as in SQL."""
    fields = kind.fields if isinstance(kind, Tuple) else (kind,)
    return [str(schema(field)).replace("bigint", "long") for field in fields]


PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
OWN = (
    *("handle", "init", "close", "update", "timer", "rows", "row", "key", "self", "updated"),
    *("timerValues", "expiredTimerInfo", "initialState", "new_values", "handleInputRows"),
    *("handleExpiredTimer", "handleInitialState"),
)
"""Names that the classes use themselves."""


@dataclass(frozen=True)
class StoredValue:
    """What is kept for a key, or put out, as columns.

    Parameters
    ----------
    name : str
        the variable that has it
    names : tuple of str
        its columns
    schema : str
        its columns with types, as in SQL
    is_tuple : bool
        whether it is a tuple, each field of which is a column
    """

    name: str
    names: tuple[str, ...]
    schema: str
    is_tuple: bool

    @property
    def row(self) -> str:
        """It as a tuple of its columns."""
        return self.name if self.is_tuple else f"({self.name},)"

    def arguments(self) -> list[str]:
        """Return its columns as arguments of a Row."""
        if not self.is_tuple:
            return [f"{self.names[0]}={self.name}"]
        return [f"{name}={self.name}[{place}]" for place, name in enumerate(self.names)]


def stored_value(name: str, names: tuple[str, ...], kind: Type) -> StoredValue:
    """Return a value of a type under a name, with the names of its columns."""
    schema = schema_of(names, column_schemas(kind))
    return StoredValue(name, names, schema, isinstance(kind, Tuple))


def schema_of(names: tuple[str, ...], kinds: list[str]) -> str:
    """Return columns with types, as in SQL."""
    return ", ".join(f"{name} {kind}" for name, kind in zip(names, kinds, strict=True))


def key_of(key: Expression, number: int) -> str:
    """Return a key of the old stream, from the tuple of key columns."""
    return "key[0]" if number == 1 and not isinstance(key, Struct) else "key"


def column_types(expression: Expression) -> list[str]:
    """Return the types of the columns of a value, as in SQL.

    Raises
    ------
    UnknownTypeError
        if one has none
    """
    kinds = (python_type(present(each.type)) for each in leaves_of(expression))
    return [column_schemas(column_type(kind, "a key or value"))[0] for kind in kinds]


def class_name(builder: Builder, base_name: str) -> str:
    """Return a free name of a class, from the name of a function."""
    name = "".join(part[:1].upper() + part[1:] for part in base_name.split("_")) or "Running"
    if hasattr(builtins, name):
        name = f"{name}Processor"
    return builder.module.free_name(name, f"{name}Processor")


def state_name(*names: str) -> str:
    """Return the first name that tells what a state is."""
    for name in names:
        if is_telling(name) and name not in (*OWN, "state", "old", "last"):
            return name
    return "state"


def refuse_names(function: ast.AST, names: set[str], own: Collection[str]) -> None:
    """Refuse names of a function that the class hides, or that hide those of the class."""
    for name in sorted(names):
        if name in own:
            raise NotExpressible("NAME", f"`{name}` is a name of the class for the state", function)


def needs(builder: Builder) -> None:
    """Note what a class needs: its imports, and a store for its state."""
    for module, name in (("pyspark.sql", "Row"), ("pyspark.sql.streaming", "StatefulProcessor")):
        builder.need(module, name)
    builder.settings[PROVIDER] = ROCKSDB


def place(
    builder: Builder, node: Node, function: ast.Lambda | ast.FunctionDef, text: str, instead: bool
) -> None:
    """Put a class after a function or in its place; for a lambda, before its statement."""
    module = builder.module
    if isinstance(function, ast.Lambda):
        statement = module.statement_in(builder.job.statements, node.call)
        # the comments of the statement stay with it
        start = module.starts[module.above(statement.lineno) - 1]
        code = textwrap.indent(text, " " * statement.col_offset)
        builder.spans.append((start, start, f"\n\n{code}\n\n"))
        return
    indent = " " * function.col_offset
    start = module.starts[function.lineno - 1]
    end = module.starts[function.end_lineno or function.lineno]
    following = module.text[end:].partition("\n")[0]
    # a class has empty lines behind it, as before it
    code = textwrap.indent(text, indent) + "\n\n" * bool(following.strip())
    if instead:
        builder.spans.append((start, end, code))
    else:
        builder.spans.append((end, end, f"\n\n{code}"))


def _initial_state(state: StoredValue, names: tuple[str, ...]) -> str:
    """Return the method that keeps the initial state of a key."""
    fields = [field_of("initialState", name) for name in names]
    body = ", ".join(fields) + ("," if len(fields) == 1 else "")
    return f"""
    def handleInitialState(self, key, initialState, timerValues):
        self.{state.name}.update(({body}))
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs())
"""


def updating_class(
    name: str,
    state: StoredValue,
    key_names: tuple[str, ...],
    values: str,
    function: ast.Lambda | ast.FunctionDef,
    expression: str,
    initial: tuple[str, ...] | None,
) -> str:
    """Return the class for a function of `updateStateByKey`.

    Raises
    ------
    NotExpressible
        if a name of the function is one of the class
    """
    new, old = (argument.arg for argument in function.args.args)
    if isinstance(function, ast.FunctionDef):
        new, old = (new if new not in OWN else "new_values"), state.name
        refuse_names(function, {function.name}, (*OWN, new, old, "state"))
    else:
        used = {node.id for node in ast.walk(function.body) if isinstance(node, ast.Name)}
        refuse_names(function, {new, old}, OWN)
        refuse_names(function, used - {new, old}, (*OWN, state.name))
    state_text = f"self.{state.name}"
    read = (
        f"{state_text}.get()"
        if state.is_tuple
        else f"{state_text}.get()[0] if {state_text}.exists() else None"
    )
    row = [
        f"{key_name}=key[{place}]" for place, key_name in enumerate(key_names)
    ] + state.arguments()
    code = f"{old} = {read}\n        {state.name} = {expression}"
    if isinstance(function, ast.FunctionDef):
        code = f"{old} = {read}\n        {state.name} = {function.name}({new}, {old})"
        if state.is_tuple:
            code = f"{state.name} = {function.name}({new}, {read})"
    start = "" if initial is None else _initial_state(state, initial)
    called = function.name if isinstance(function, ast.FunctionDef) else "the function"
    return f'''class {name}(StatefulProcessor):
    """Calls {called} for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        {state_text} = handle.getValueState("{state.name}", "{state.schema}")
{start}
    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [{values} for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, {new}, timerValues):
        {code}
        if {state.name} is None:
            {state_text}.clear()
            return
        {state_text}.update({state.row})
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row({", ".join(row)})
'''


def mapping_class(
    builder: Builder,
    name: str,
    function: ast.FunctionDef,
    state: StoredValue,
    key: str,
    value: str,
    results: tuple[str, ...],
    is_tuple: bool,
    timeout: ast.expr | None,
) -> str:
    """Return the class for a function of `mapWithState`."""
    refuse_names(function, {function.name}, (*OWN, state.name))
    *parameters, _ = (argument.arg for argument in function.args.args)
    has_time = len(parameters) == 3
    arguments = [key, value]
    columns = ", ".join(f'"{result}"' for result in results)
    # a Row needs the names of its columns
    row_text = f"Row({columns})(*" if is_tuple else f"Row({results[0]}="
    lines = [
        f"class {name}(StatefulProcessor):",
        "    def init(self, handle):",
        "        self.handle = handle" if timeout is not None else "",
        f'        self.{state.name} = handle.getValueState("{state.name}", "{state.schema}")',
        "",
        "    def handleInputRows(self, key, rows, timerValues):",
    ]
    if has_time:
        arguments.insert(0, "batch_time")
        lines.append(_time(builder))
    lines.append("        for row in rows:")
    lines += _call_statements(function.name, arguments, row_text, has_time, 12)
    if timeout is not None:
        lines += _timer(builder, state, timeout)
        late = [*arguments[:-1], "None"]
        if _uses_timing_out(function):
            late.append("True")
        lines += [
            "",
            "    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):",
            *([_time(builder)] if has_time else []),
            *_call_statements(function.name, late, row_text, has_time, 8),
            f"        self.{state.name}.clear()",
        ]
    if _uses_timing_out(function):
        parameters.append("timing_out=False")
    lines += ["", f"    def {function.name}(self, {', '.join(parameters)}):"]
    body = textwrap.indent(_body(builder, function, state), "        ")
    return "\n".join(line for line in [*lines, body] if line or line == "").replace(
        "    def init(self, handle):\n\n", "    def init(self, handle):\n"
    )


def _time(builder: Builder) -> str:
    now = "timerValues.getCurrentProcessingTimeInMs() / 1000"
    return f"        batch_time = {datetime_class(builder)}.fromtimestamp({now})"


def _call_statements(
    name: str, arguments: list[str], row_text: str, optional: bool, indent: int
) -> list[str]:
    """Return the statements that put out what the function returns."""
    pad = " " * indent
    call = f"self.{name}({', '.join(arguments)})"
    if not optional:
        return [f"{pad}yield {row_text}{call})"]
    return [
        f"{pad}result = {call}",
        f"{pad}if result is not None:",
        f"{pad}    yield {row_text}result)",
    ]


def _timer(builder: Builder, state: StoredValue, timeout: ast.expr) -> list[str]:
    """Return the statements that have a key time out: in the first batch later than its timeout."""
    before, after = _until(builder, timeout)
    return [
        "        for timer in list(self.handle.listTimers()):",
        "            self.handle.deleteTimer(timer)",
        f"        if self.{state.name}.exists():",
        "            now = timerValues.getCurrentProcessingTimeInMs()",
        "            # the first batch that is later than the timeout",
        f"            self.handle.registerTimer(now - now % {before} + {after})",
    ]


def _until(builder: Builder, timeout: ast.expr) -> tuple[str, str]:
    """Return the batch interval, and the time from a batch to
    the one in which a key times out, in ms.
    """
    module, block, interval = builder.module, builder.job.block, builder.job.interval
    assert interval is not None
    length, batch = duration(module, block, timeout), duration(module, block, interval)
    if length.value is not None and batch.value is not None:
        milliseconds = round(batch.value * 1000)
        return str(milliseconds), str(
            (round(length.value * 1000) // milliseconds + 1) * milliseconds
        )
    text = f"({length.text}, {batch.text})"
    if not (length.whole and batch.whole) or uses_locals(builder.job, text):
        raise NotExpressible(
            "TIMEOUT",
            "the timeout and the batch interval must be whole seconds that are given outside of "
            "functions",
            timeout,
        )
    after = f"({length.operand} // {batch.operand} + 1) * {batch.operand} * 1000"
    return f"({batch.operand} * 1000)", after


def _uses_timing_out(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Attribute) and node.attr == "isTimingOut"
        for node in ast.walk(function)
    )


def _body(builder: Builder, function: ast.FunctionDef, state: StoredValue) -> str:
    """Return the body of the function, with the methods of a value state."""
    module = builder.module
    last = function.args.args[-1]
    first = (last.end_lineno or last.lineno) + 1
    if function.body[0].lineno < first:
        raise NotExpressible("STATE_FUNCTION", "the function is written on one line", function)
    start = module.starts[first - 1]
    end = module.starts[function.end_lineno or function.lineno]
    text = module.text[start:end]
    spans = []
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if (
                name == last.arg
            ):
                spans.append(_state_edit(builder, node, method, state))
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == last.arg]
    if len(uses) != len(spans):
        raise NotExpressible("STATE_FUNCTION", "the state is passed on", function)
    return textwrap.dedent(with_spans(text, spans, start)).rstrip("\n") + "\n"


def _state_edit(
    builder: Builder, call: ast.Call, method: str, state: StoredValue
) -> tuple[int, int, str]:
    module, state_text = builder.module, f"self.{state.name}"
    start, end = module.span(call)
    assert isinstance(call.func, ast.Attribute)
    whole = state.is_tuple
    texts = {
        "exists": f"{state_text}.exists()",
        "remove": f"{state_text}.clear()",
        "get": f"{state_text}.get()" if whole else f"{state_text}.get()[0]",
        "getOption": f"{state_text}.get()" if whole else f"({state_text}.get() or (None,))[0]",
        "isTimingOut": "timing_out",
    }
    if method in texts:
        return start, end, texts[method]
    # the argument of `update` may have calls of the state itself
    inner = call.args[0] if method == "update" and len(call.args) == 1 else call
    if any(isinstance(node, ast.Call) for node in ast.walk(inner)):
        text = "this call of the state is not rewritten"
        raise NotExpressible("STATE_FUNCTION", text, call)
    text = module.source(inner)
    return start, end, f"{state_text}.update({text if whole else f'({text},)'})"
