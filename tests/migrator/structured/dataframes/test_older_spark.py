"""Expressions for an older Spark: functions that it has, and when it has to be told to raise."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native import Translation, Translator, column, to_source
from dstream_compat.native.refusals import ACCEPTABLE
from dstream_compat.native.types import Binary, Dictionary, Long, String, Type
from migrator.spark.needs import needed_version
from migrator.spark.since import version_of
from migrator.structured.dataframes.older_spark import expression_for, least_spark, needs_ansi
from tests.support.native import ENVIRONMENT

TEXT, NUMBER, SMALL = String(), Long(), Long(0, 1000, 64)
COUNTS = Dictionary(String(), Long())


def translated(source: str, kind: Type) -> Translation:
    (statement,) = ast.parse(source).body
    assert isinstance(statement, ast.Expr)
    found = Translator(ENVIRONMENT, ACCEPTABLE).map(statement.value, column("value", kind))
    assert isinstance(found, Translation), found
    return found


@pytest.mark.parametrize(
    ("source", "kind", "spark", "expected"),
    [
        ("lambda x: x.strip('[.]')", TEXT, "3.3", r'"\A[\[.\]]+|[\[.\]]+\z", ""'),
        ("lambda x: x.strip('[.]')", TEXT, "3.5", "F.btrim"),
        ("lambda x: x.rstrip('-^')", TEXT, "3.5", r'"[\-\^]+\z", ""'),
        ("lambda x: x.lstrip()", TEXT, "3.5", "WHITESPACE_AT_START"),
        ("lambda x: x.strip()", TEXT, "3.4", "WHITESPACE_AT_ENDS"),
        ("lambda x: x.replace('a.b', '$')", TEXT, "3.4", r'r"a\.b", r"\$"'),
        ("lambda x: x.replace('a.b', '$')", TEXT, "3.5", 'F.lit("a.b"), F.lit("$")'),
        ("lambda x: x[1:-2]", TEXT, "3.5", ".substr(F.lit(2), F.length("),
        ("lambda x: x[1:3]", TEXT, "3.3", "F.substring("),
        ("lambda x: x % 60", NUMBER, "3.3", '(F.col("value") % 60 + 60) % 60'),
        ("lambda x: x % 60", NUMBER, "3.4", "F.pmod("),
        ("lambda x: x.get('a', 0)", COUNTS, "3.3", "F.array_contains(F.map_keys("),
        ("lambda x: x.get('a', 0)", COUNTS, "3.4", "F.map_contains_key("),
        ("lambda x: x.decode('utf-8')", Binary(), "3.5", '"UTF-8").eqNullSafe('),
        ("lambda x: x.decode('utf-8')", Binary(), "4.0", 'F.decode(F.col("value"), "UTF-8")'),
    ],
)
def test_an_older_spelling(source: str, kind: Type, spark: str, expected: str) -> None:
    found = translated(source, kind).expression
    text = to_source(expression_for(found, version_of(spark))).text
    assert expected in text
    assert needed_version(text) <= version_of(spark)


@pytest.mark.parametrize(
    ("source", "kind", "spark"),
    [
        # the new text is known only when it runs
        ("lambda x: x.replace('a', x)", TEXT, "3.4"),
        ("lambda x: x // 7", NUMBER, "3.4"),
        ("lambda x: re.findall('a+', x)", TEXT, "3.4"),
    ],
)
def test_what_has_no_older_spelling_stays(source: str, kind: Type, spark: str) -> None:
    found = translated(source, kind).expression
    assert expression_for(found, version_of(spark)) == found
    assert needed_version(to_source(found).text) > version_of(spark)


@pytest.mark.parametrize(
    ("source", "kind", "ansi"),
    [
        ("lambda x: x.split(',')", TEXT, False),
        ("lambda x: x.split(',')[0]", TEXT, True),
        ("lambda x: int(x)", TEXT, True),
        ("lambda x: x + 1", SMALL, False),
        ("lambda x: x + 1", NUMBER, True),
        ("lambda x: x % 7", NUMBER, False),
        ("lambda x: x.upper()", TEXT, False),
        ("lambda x: x.decode('utf-8')", Binary(), False),
    ],
)
def test_what_raises_in_ansi_sql_only(source: str, kind: Type, ansi: bool) -> None:
    found = translated(source, kind).expression
    assert needs_ansi(found) == ansi
    later = ansi or isinstance(kind, Binary)
    assert least_spark(found) == version_of("4.0" if later else "3.3")
