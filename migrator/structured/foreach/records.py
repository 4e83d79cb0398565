"""Rows as the records that Python had: texts, numbers, tuples."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Struct
from dstream_compat.native.makers import Maker
from dstream_compat.native.types import (
    Binary,
    Date,
    Record,
    Timestamp,
    Tuple,
    maker_of,
    walk,
)
from migrator.infer.scopes import locals_of

from ..dataframes.frames import Frame, leaves_of
from ..dataframes.named_rows import SHADOWED, is_row, value_of
from ..program.bindings import loads, stores
from ..program.graph import BatchFunction
from ..program.modules import SourceModule
from ..refusals import NotExpressible

TAKES_ANY = frozenset(("sorted", "set", "list", "tuple", "sum", "max", "min", "any", "all"))


def refuse_values(frame: Frame, node: ast.AST) -> None:
    """Refuse records whose values Spark gives to Python as something else."""
    for leaf in leaves_of(frame.element):
        if any(isinstance(part, Binary | Record | Timestamp | Date) for part in walk(leaf.type)):
            raise NotExpressible(
                "RECORD_TYPE", "Spark gives bytes and rows to Python as other types", node
            )


def refuse_hidden(
    module: SourceModule, function: BatchFunction, frame: Frame, node: ast.AST
) -> None:
    """Refuse named tuples whose class a function of batches does not see under its name."""
    kind = frame.element.type
    if not isinstance(kind, Tuple) or not kind.maker or is_row(kind):
        return
    names = module.environment_in(function.block)
    hidden = kind.maker in locals_of(function.node)
    if hidden or names.lookup(kind.maker) != Maker(kind.maker, kind.names):
        raise NotExpressible("NAMED_TUPLES", f"`{kind.maker}` has another meaning here", node)


def is_flat(frame: Frame) -> bool:
    """Return whether a row is the record: a tuple without tuples in it."""
    element = frame.element
    return isinstance(element, Struct) and not any(isinstance(f, Struct) for f in element.fields)


def record(frame: Frame, row: str) -> str:
    """Return the record of a row, as source."""
    kind = frame.element.type
    if is_row(kind):
        return row
    if maker_of(kind):
        return f"{maker_of(kind)}(*{row})"
    if is_flat(frame):
        return f"tuple({row})"
    return value_of(row, frame.element, frame.names)


def records(frame: Frame, rows: str, whole: bool = True) -> str:
    """Return a list of records of an expression for a list of rows; rows are tuples themselves."""
    if (is_flat(frame) and not whole) or is_row(frame.element.type):
        return rows
    return f"[{record(frame, 'row')} for row in {rows}]"


def in_place(module: SourceModule, call: ast.Call, text: str) -> str:
    """Return a list of records where it is used: as an argument it needs no brackets."""
    match module.parents[call]:
        case ast.Call(func=ast.Name(id=name), args=[found], keywords=[]) if (
            found is call and name in TAKES_ANY and text.startswith("[")
        ):
            return text[1:-1]
        case ast.For(iter=found) if found is call and text.startswith("[tuple(row) for row in "):
            return f"map(tuple, {text.removeprefix('[tuple(row) for row in ')[:-1]})"
    return text


class Uses:
    """What is done with a list of records: whether rows may take the place of tuples."""

    def __init__(self, module: SourceModule, function: ast.AST, named: bool = False) -> None:
        self.module = module
        self.function = function
        self.named = named

    def of(self, frame: Frame) -> Uses:
        """Return what is done with records of a frame, whose fields may have names."""
        return Uses(self.module, self.function, bool(maker_of(frame.element.type)))

    def needs_tuples(self, node: ast.expr) -> bool:
        """Return whether records of this list are used otherwise than tuples and rows alike."""
        parent = self.module.parents[node]
        match parent:
            case (
                ast.For(target=ast.Tuple(), iter=found)
                | ast.comprehension(target=ast.Tuple(), iter=found)
                | ast.Call(func=ast.Name(id="len"), args=[found])
                | ast.If(test=found)
                | ast.IfExp(test=found)
                | ast.Assign(targets=[ast.Tuple()], value=found)
            ) if found is node:
                return False
            case ast.For(target=ast.Name(id=name), iter=found) if found is node:
                return not self._only_fields(parent, name)
            case ast.comprehension(target=ast.Name(id=name), iter=found) if found is node:
                return not self._only_fields(self.module.parents[parent], name)
            case ast.Call(func=ast.Name(id="dict"), args=[found]) if found is node:
                return parent.keywords != []
            case ast.Call(func=ast.Name(id="sorted" | "list" | "reversed"), args=[found]):
                return found is not node or not self._keys(parent) or self.needs_tuples(parent)
            case ast.UnaryOp(op=ast.Not()):
                return False
            case ast.Subscript(value=found, slice=ast.Slice()) if found is node:
                return self.needs_tuples(parent)
            case ast.Assign(targets=[ast.Name(id=name)], value=found) if found is node:
                return self._name_needs(name)
        return True

    def _name_needs(self, name: str) -> bool:
        if len(stores(self.function, name)) != 1:
            return True
        return any(map(self.needs_tuples, loads(self.function, name)))

    def _only_fields(self, scope: ast.AST, name: str) -> bool:
        """Return whether a record is only used by its fields: ``pair[0]``."""
        return all(map(self.is_field, loads(scope, name)))

    def is_field(self, node: ast.expr) -> bool:
        """Return whether a field is read: ``pair[0]``, ``word, count = pair`` or ``pair.word``."""
        match self.module.parents[node]:
            case ast.Subscript(value=found, slice=ast.Constant(), ctx=ast.Load()):
                return found is node
            case ast.Assign(targets=[ast.Tuple()], value=found):
                return found is node
            case ast.Attribute(value=found, attr=name, ctx=ast.Load()) if found is node:
                return self.named and name not in SHADOWED and not name.startswith("_")
        return False

    def _keys(self, call: ast.Call) -> bool:
        """Return whether the key of `sorted` uses fields only."""
        for keyword in call.keywords:
            if keyword.arg != "key":
                continue
            if not isinstance(keyword.value, ast.Lambda) or len(keyword.value.args.args) != 1:
                return False
            name = keyword.value.args.args[0].arg
            if not self._only_fields(keyword.value.body, name):
                return False
        return True
