"""Compares translated functions with Python on many values, in one Spark job for many functions."""

from __future__ import annotations

import ast
import datetime
import json
import math
import operator
import os
import re
import struct
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from pyspark.sql import Column, Row, SparkSession
from pyspark.sql import functions as F

from dstream_compat.native import Refusal, Translation, Translator, column, row, to_source
from dstream_compat.native.expressions import Expression
from dstream_compat.native.makers import ROW, Maker
from dstream_compat.native.names import Bindings, Builtins, Known
from dstream_compat.native.refusals import ACCEPTABLE, Code
from dstream_compat.native.types import Array, Dictionary, Nullable, Record, Tuple, Type

FULL = bool(os.environ.get("DSTREAM_COMPAT_FULL"))
ROWS = 3_000 if FULL else 300
MODULES = {
    "datetime": datetime,
    "json": json,
    "math": math,
    "operator": operator,
    "re": re,
}
Pair = namedtuple("Pair", "first, count")
MAKERS: dict[str, Any] = {"Pair": Pair, ROW: Row}
ENVIRONMENT = Bindings(
    {
        **{name: Known(name) for name in MODULES},
        "Pair": Maker("Pair", Pair._fields),
        "Row": Maker(ROW),
    },
    Builtins(),
)


@dataclass(frozen=True, eq=False)
class Values:
    """The values of one kind of record: the columns, their types in Spark, and how to draw them."""

    columns: dict[str, Type]
    ddl: str
    strategy: SearchStrategy[Any]
    always: Sequence[Any] = ()
    """Records that are among the drawn ones, however few these are."""

    @property
    def argument(self) -> Any:
        """The record as an argument: one column, or a tuple of columns."""
        if len(self.columns) == 1:
            ((name, kind),) = self.columns.items()
            return column(name, kind)
        return row(self.columns)

    @lru_cache  # noqa: B019  (the values are constants of a module)
    def drawn(self, count: int) -> list[Any]:
        """Records, always the same ones."""
        found: list[Any] = [*self.always]

        @seed(20_261_124)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(self.strategy)
        def collect(value: Any) -> None:
            found.append(value)

        collect()
        return found


@dataclass(frozen=True)
class Case:
    """A function as source, and what it is for."""

    source: str
    purpose: str = "map"
    accept: frozenset[Code] = frozenset()
    json: Type | None = None

    @property
    def function(self) -> Callable[[Any], Any]:
        """The function itself."""
        space = MODULES | MAKERS
        if self.source.startswith("def "):
            exec(self.source, space)
            return space["f"]  # type: ignore[return-value]
        return eval(self.source, space)  # type: ignore[no-any-return]

    def translated(self, values: Values) -> Translation | Refusal:
        """The translation."""
        translator = Translator(ENVIRONMENT, self.accept, self.json)
        return getattr(translator, self.purpose)(self.node, values.argument)  # type: ignore[no-any-return]

    @property
    def node(self) -> ast.AST:
        """The syntax of the function."""
        (statement,) = ast.parse(self.source).body
        return statement.value if isinstance(statement, ast.Expr) else statement

    def expected(self, value: Any) -> Any:
        """What Python gives for a record."""
        found = self.function(value)
        if self.purpose == "filter":
            return bool(found)
        return list(found) if self.purpose == "flat_map" else found


RAISED = object()


def maps(*sources: str, accept: Iterable[Code] = ()) -> list[Case]:
    return [Case(source, "map", frozenset(accept)) for source in sources]


def filters(*sources: str, accept: Iterable[Code] = ()) -> list[Case]:
    return [Case(source, "filter", frozenset(accept)) for source in sources]


def flat_maps(*sources: str, accept: Iterable[Code] = ()) -> list[Case]:
    return [Case(source, "flat_map", frozenset(accept)) for source in sources]


def attempt(column: Column) -> Column:
    """A struct with the value of a column, or NULL where the column raises."""
    jvm: Any = SparkSession.active()._jvm
    utils = jvm.org.apache.spark.sql.classic.ExpressionUtils
    attempted = jvm.org.apache.spark.sql.catalyst.expressions.TryEval(
        utils.expression(F.struct(column.alias("value"))._jc)
    )
    return Column(utils.column(attempted))


def to_column(expression: Expression) -> Column:
    """The column that the printed source of an expression makes."""
    source = to_source(expression)
    space: dict[str, Any] = {"F": F}
    for name, text in source.constants.items():
        space[name] = ast.literal_eval(text)
    found = eval(f"({source.text})", space)
    assert isinstance(found, Column)
    return found


def as_python(value: Any, kind: Type) -> Any:
    """A value of Spark as the value of Python that its type stands for."""
    match kind:
        case Nullable(inner=inner):
            return None if value is None else as_python(value, inner)
        case Tuple(names=names, fields=fields, maker=maker):
            found = tuple(as_python(*pair) for pair in zip(value, fields, strict=True))
            return MAKERS[maker](**dict(zip(names, found, strict=True))) if maker else found
        case Record(names=names, fields=fields):
            pairs = zip(names, value, fields, strict=True)
            return {name: as_python(each, inner) for name, each, inner in pairs}
        case Array(element=element):
            return [as_python(each, element) for each in value]
        case Dictionary(value=inner):
            return {key: as_python(each, inner) for key, each in value.items()}
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same, also in their types, NaN and the sign of zero."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return struct.pack("d", a) == struct.pack("d", b) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


def compare(spark: SparkSession, values: Values, cases: Sequence[Case], rows: int = ROWS) -> None:
    """Assert that each function gives and raises what Python does, for all drawn records."""
    records = values.drawn(rows)
    assert len(records) > min(rows, 1000) // 4, len(records)
    given = [record if len(values.columns) > 1 else (record,) for record in records]
    frame = spark.createDataFrame(given, values.ddl).coalesce(1)
    translations: list[Translation] = []
    for case in cases:
        found = case.translated(values)
        assert isinstance(found, Translation), f"{case.source}: {found}"
        assert case.accept <= {each.code for each in found.accepted}, case.source
        translations.append(found)
    sources = [to_column(each.expression) for each in translations]
    columns = list(map(attempt, sources))
    # A common part of two columns would be computed before both, and raise outside of the attempt.
    setting = "spark.sql.subexpressionElimination.enabled"
    spark.conf.set(setting, "false")
    try:
        attempted = list(zip(*frame.select(*columns).collect(), strict=True))
    finally:
        spark.conf.unset(setting)
    # What never raises is computed as users compute it.
    safe = [place for place, each in enumerate(translations) if not each.may_raise]
    plain = [F.struct(sources[place].alias("value")).alias(f"c{place}") for place in safe]
    computed = list(zip(*frame.select(F.lit(0), *plain).collect(), strict=True))[1:]
    again = dict(zip(safe, computed, strict=True))
    wrong: list[str] = []
    for place, (case, translation) in enumerate(zip(cases, translations, strict=True)):
        wrong += _differences(case, translation, records, attempted[place])
        if place in again:
            wrong += _differences(case, translation, records, again[place])
    assert wrong == [], "\n".join(wrong)


def _differences(
    case: Case, translation: Translation, records: list[Any], results: Sequence[Any]
) -> list[str]:
    kind = Array(translation.type) if case.purpose == "flat_map" else translation.type
    wrong: list[str] = []
    values = raised = 0
    for record, result in zip(records, results, strict=True):
        try:
            expected = case.expected(record)
        except Exception:
            expected = RAISED
        if result is None:
            raised += 1
            fine = expected is RAISED or bool(case.accept)
            assert translation.may_raise, case.source
        else:
            values += 1
            fine = expected is not RAISED and same(as_python(result[0], kind), expected)
        if not fine and len(wrong) < 3:
            got = "an error" if result is None else repr(as_python(result[0], kind))
            python = "an error" if expected is RAISED else repr(expected)
            wrong.append(f"{case.source} of {record!r}: {got}, but in Python {python}")
    if values < len(records) // 50:
        wrong.append(f"{case.source}: only {values} values, {raised} errors")
    return wrong


def refuse(values: Values, code: Code, *sources: str, purpose: str = "map") -> None:
    """Assert that functions are refused for a reason, with a place."""
    for source in sources:
        accept = frozenset() if code in ACCEPTABLE else ACCEPTABLE
        found = Case(source, purpose, accept).translated(values)
        assert isinstance(found, Refusal), f"{source}: {found}"
        assert found.code is code, f"{source}: {found}"
        assert found.source, source
