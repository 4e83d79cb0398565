"""SQL and casts that gave NULL, and raise since Spark 4 has ANSI SQL switched on."""

from __future__ import annotations

import ast
import re

from migrator.collect.removed.finder import Finder
from migrator.infer.values import Method, Obj, path_of
from migrator.model.removed_events import AnsiUse
from migrator.spark.kinds import Kind

_SQL = frozenset({"sql", "selectExpr"})
# texts in quotes, comments, and stars that stand for all columns
_IGNORED = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|\(\s*\*\s*\)"
    r"|\b(?:select|distinct|all)\s+\*|,\s*\*|\.\*",
    re.IGNORECASE | re.DOTALL,
)
_RISKY = re.compile(
    r"\b(?:cast|to_date|to_timestamp|to_number|element_at|elt|make_date|make_timestamp|conv"
    r"|next_day|parse_url|unix_timestamp)\s*\(|\b(?:int|bigint|double|float|decimal|date"
    r"|timestamp)\s*\(|::|[\w)\]]\s*[-+*/%]\s*[\w(`]|\bdiv\b|\w\s*\[",
    re.IGNORECASE,
)
_TYPES = frozenset(
    (
        *("bigint", "boolean", "byte", "date", "decimal", "double", "float", "int", "integer"),
        *("long", "short", "smallint", "timestamp", "tinyint"),
    )
)


class AnsiUses(Finder):
    """Finds SQL and casts of a unit."""

    def call(self, node: ast.Call) -> None:
        """Find `session.sql(text)`, `df.selectExpr(...)`, `column.cast("int")`, `expr(text)`."""
        match node.func:
            case ast.Attribute(attr="cast") if len(node.args) == 1 and self._is_cast(node.args[0]):
                self._add(node.func, ".cast()")
            case ast.Attribute(attr=name) if name in _SQL and self._is_of_spark(node):
                if any(map(_is_risky, node.args)):
                    self._add(node.func, f".{name}()")
            case ast.Attribute(attr="expr") | ast.Name() if node.args:
                path = path_of(self.facts.callees.get(node))
                if path == "pyspark.sql.functions.expr" and _is_risky(node.args[0]):
                    self._add(node.func, "expr()")

    def _add(self, node: ast.expr, text: str) -> None:
        self.drafts.add(AnsiUse(self.unit.name_spot(node), text))

    def _is_of_spark(self, node: ast.Call) -> bool:
        """Return whether a method is that of a session or DataFrame, and may be nothing else."""
        callee = self.facts.callees.get(node)
        if callee is None or not callee.atoms:
            return False
        return all(isinstance(a, Method) and a.owner.kind in _KINDS for a in callee.atoms)

    def _is_cast(self, function: ast.expr) -> bool:
        """Return whether a cast is one of a column to a type that some texts have no value in."""
        match function:
            case ast.Constant(value=str(name)):
                return name.partition("(")[0].strip().lower() in _TYPES and self._uses_sql
            case ast.Call(func=func):
                function = func
        path = path_of(self.facts.values.get(function))
        name = path.rpartition(".")[2].removesuffix("Type").lower()
        return path.startswith("pyspark.sql.types.") and name in _TYPES

    @property
    def _uses_sql(self) -> bool:
        for value in self.facts.receivers.values():
            for atom in value.atoms:
                if isinstance(atom, Obj) and atom.kind in _KINDS:
                    return True
        return False


_KINDS = frozenset({Kind.SPARK_SESSION, Kind.SQL_CONTEXT, Kind.DATAFRAME})


def _is_risky(node: ast.expr) -> bool:
    """Return whether a text of SQL may do what raises now; one that is not known may."""
    match node:
        case ast.Constant(value=str(text)):
            return _RISKY.search(_IGNORED.sub(" ", text)) is not None
        case ast.JoinedStr(values=values):
            parts = [str(v.value) if isinstance(v, ast.Constant) else " x " for v in values]
            return _RISKY.search(_IGNORED.sub(" ", "".join(parts))) is not None
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
            return _is_risky(left) or (isinstance(node.op, ast.Add) and _is_risky(node.right))
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            return _is_risky(value)
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
            return False
    return False
