"""Writes classes for `transformWithState`."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Collection
from dataclasses import dataclass

from dstream_compat.native.expressions import Expression, Struct
from dstream_compat.native.types import present

from ..builder.builder import Builder
from ..dataframes.frames import leaves_of
from ..dataframes.named_rows import field_of
from ..dataframes.naming import is_telling
from ..program.graph import Node
from ..refusals import NotExpressible
from ..udfs.types import python_type
from .functions import column_schemas, column_type

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
