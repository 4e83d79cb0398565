"""Reduce functions are aggregates only where order and grouping cannot change the result."""

from __future__ import annotations

import ast
import functools
import operator
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dstream_compat.native import (
    ACCEPTABLE,
    Reduction,
    Refusal,
    Translator,
    column,
    key_refusal,
    reduction,
    row,
    to_source,
)
from dstream_compat.native.reducers import MAX_ROWS
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import (
    Array,
    Boolean,
    Date,
    Dictionary,
    Double,
    Long,
    NoneType,
    Nullable,
    Record,
    String,
    Type,
    tuple_of,
)
from tests.support.native import ENVIRONMENT, Values, as_python, same, to_column
from tests.support.native_values import TEXTS

COUNT = Long(0, 1000)
GROUPS = Values(
    {
        "key": String(),
        "one": Long(1, 1),
        "n": Long(-(2**22), 2**22),
        "any": Long(),
        "text": String(),
        "flag": Boolean(),
    },
    "key string, one long, n long, any long, text string, flag boolean",
    st.tuples(
        st.sampled_from(["a", "b", "c", ""]),
        st.just(1),
        st.integers(-(2**22), 2**22),
        st.integers(-(2**63), 2**63 - 1),
        TEXTS,
        st.booleans(),
    ),
)
SUPPORTED = [
    ("one", "lambda a, b: a + b", "F.count(F.lit(1))"),
    ("n", "lambda a, b: a + b", 'F.sum(F.col("n"))'),
    ("n", "lambda x, y: y + x", 'F.sum(F.col("n"))'),
    ("n", "operator.add", 'F.sum(F.col("n"))'),
    ("any", "max", 'F.max(F.col("any"))'),
    ("any", "min", 'F.min(F.col("any"))'),
    ("any", "lambda a, b: max(b, a)", 'F.max(F.col("any"))'),
    ("any", "lambda a, b: a if a > b else b", 'F.max(F.col("any"))'),
    ("any", "lambda a, b: b if a > b else a", 'F.min(F.col("any"))'),
    ("any", "lambda a, b: a if a <= b else b", 'F.min(F.col("any"))'),
    ("any", "lambda a, b: a if b >= a else b", 'F.min(F.col("any"))'),
    ("text", "max", 'F.max(F.col("text"))'),
    ("text", "lambda a, b: min(a, b)", 'F.min(F.col("text"))'),
    ("flag", "lambda a, b: a or b", 'F.bool_or(F.col("flag"))'),
    ("flag", "lambda a, b: a and b", 'F.bool_and(F.col("flag"))'),
    ("flag", "max", 'F.max(F.col("flag"))'),
]


def _reduced(source: str, value: Any, accept: frozenset[Code] = frozenset()) -> Reduction | Refusal:
    node = ast.parse(source, mode="eval").body
    return reduction(Translator(ENVIRONMENT, accept), node, value)


@pytest.mark.slow
def test_reduced_groups(spark: SparkSession) -> None:
    records = GROUPS.drawn(500)
    names = list(GROUPS.columns)
    frame = spark.createDataFrame(records, GROUPS.ddl).repartition(4)
    found = [_reduced(source, column(name, GROUPS.columns[name])) for name, source, _ in SUPPORTED]
    for each, (_, source, written) in zip(found, SUPPORTED, strict=True):
        assert isinstance(each, Reduction), f"{source}: {each}"
        (aggregate,) = each.aggregates
        assert to_source(aggregate).text == written
    pair = "lambda a, b: (a[0] + b[0], max(a[1], b[1]))"
    pairs = _reduced(pair, row({"n": GROUPS.columns["n"], "text": String()}))
    assert isinstance(pairs, Reduction)
    columns = [to_column(each) for one in [*found, pairs] for each in one.aggregates]
    rows = frame.groupBy("key").agg(*columns).collect()
    groups: dict[str, list[Any]] = defaultdict(list)
    for record in records:
        groups[record[0]].append(record)
    assert {each[0] for each in rows} == set(groups)
    for result in rows:
        group = groups[result[0]]
        expected = [
            functools.reduce(
                eval(source, {"operator": operator}), [each[names.index(name)] for each in group]
            )
            for name, source, _ in SUPPORTED
        ]
        expected += functools.reduce(eval(pair), [(each[2], each[4]) for each in group])
        got = [as_python(each, Long()) for each in result[1:]]
        assert all(map(same, got, expected)), (got, expected)


@pytest.mark.parametrize(
    ("kind", "source", "code"),
    [
        (Long(), "lambda a, b: a + b", Code.INT_RANGE),
        (Long(0, 2**31), "lambda a, b: a + b", Code.INT_RANGE),
        (Double(), "lambda a, b: a + b", Code.FLOAT_ORDER),
        (Double(), "max", Code.FLOAT_VALUES),
        (Double(), "lambda a, b: a if a > b else b", Code.FLOAT_VALUES),
        (Double(), "lambda a, b: a * b", Code.UNKNOWN_FUNCTION),
        (Double(False, False), "min", Code.FLOAT_VALUES),
        (String(), "lambda a, b: a + b", Code.ORDER),
        (Array(Long()), "lambda a, b: a + b", Code.ORDER),
        (Boolean(), "lambda a, b: a + b", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a", Code.ORDER),
        (COUNT, "lambda a, b: b", Code.ORDER),
        (COUNT, "lambda a, b: a - b", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a * b", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a + a", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a + b + 1", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a + 1", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: 1", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: max(a, a)", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: max(a, b, 5)", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a if a > b else a", Code.ORDER),
        (COUNT, "lambda a, b: a if a > 5 else b", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a if a != b else b", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: (a, b)", Code.UNKNOWN_FUNCTION),
        (COUNT, "lambda a, b: a // b", Code.INT_DIVISION),
        (COUNT, "lambda a: a", Code.ALWAYS_RAISES),
        (COUNT, "other", Code.UNKNOWN_NAME),
        (Nullable(COUNT), "lambda a, b: a + b", Code.TYPE),
        (Nullable(COUNT), "max", Code.TYPE),
        (NoneType(), "max", Code.TYPE),
    ],
)
def test_refused_reducers(kind: Type, source: str, code: Code) -> None:
    accept = frozenset() if code in ACCEPTABLE else ACCEPTABLE
    found = _reduced(source, column("x", kind), accept)
    assert isinstance(found, Refusal), found
    assert found.code is code, found


def test_refused_tuples() -> None:
    value = row({"n": COUNT, "m": COUNT})
    for source, code in [
        ("lambda a, b: (a[0] + b[1], a[1] + b[0])", Code.UNKNOWN_FUNCTION),
        ("lambda a, b: (a[0] + b[0], a[1])", Code.ORDER),
        ("lambda a, b: a", Code.ORDER),
        ("lambda a, b: a[0] + b[0]", Code.TYPE),
        ("lambda a, b: a + b", Code.TYPE),
        ("lambda a, b: (a[0] + b[0], a[1] + b[1], 1)", Code.TYPE),
        ("lambda a, b: a if a[0] > b[0] else b", Code.UNKNOWN_FUNCTION),
    ]:
        found = _reduced(source, value)
        assert isinstance(found, Refusal), (source, found)
        assert found.code is code, (source, found)


def test_sums_are_proven_for_many_records() -> None:
    largest = (2**63 - 1) // MAX_ROWS
    for bound, proven in [(largest, True), (largest + 1, False), (-largest - 2, False)]:
        found = _reduced("lambda a, b: a + b", column("n", Long(min(bound, 0), max(bound, 0))))
        assert isinstance(found, Reduction) is proven
    count = _reduced("lambda a, b: a + b", column("one", Long(1, 1)))
    assert isinstance(count, Reduction)
    assert count.type == Long(1, MAX_ROWS)


def test_accepted_differences_are_told() -> None:
    any_sum = _reduced("lambda a, b: a + b", column("n", Long()), ACCEPTABLE)
    assert isinstance(any_sum, Reduction)
    assert [each.code for each in any_sum.accepted] == [Code.INT_RANGE]
    floats = _reduced("lambda a, b: a + b", column("n", Double()), ACCEPTABLE)
    assert isinstance(floats, Reduction)
    assert [each.code for each in floats.accepted] == [Code.FLOAT_ORDER]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (String(), None),
        (Long(), None),
        (Boolean(), None),
        (Date(), None),
        (Nullable(String()), None),
        (tuple_of(String(), Nullable(Long())), None),
        (Double(), Code.FLOAT_VALUES),
        (tuple_of(String(), Double(False, False)), Code.FLOAT_VALUES),
        (Nullable(Double()), Code.FLOAT_VALUES),
        (Array(String()), Code.UNHASHABLE),
        (Dictionary(String(), Long()), Code.UNHASHABLE),
        (Record(("a",), (Long(),)), Code.UNHASHABLE),
        (tuple_of(Array(Long()), Double()), Code.UNHASHABLE),
        (Nullable(Array(Long())), Code.UNHASHABLE),
    ],
)
def test_keys(kind: Type, code: Code | None) -> None:
    found = key_refusal(kind)
    assert (found and found.code) is code
