"""The table of what Spark has since when agrees with PySpark, for all that goldens have."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

import pyspark.sql.functions
import pytest
from pyspark import RDD
from pyspark.sql import Column, DataFrame, GroupedData, Row, SparkSession, streaming
from pyspark.sql.conf import RuntimeConfig
from pyspark.sql.readwriter import DataFrameReader, DataFrameWriter
from pyspark.sql.streaming.stateful_processor import ValueState

from dstream_compat.native.printing import RAW
from migrator.spark import since
from migrator.spark.needs import needed_version
from migrator.spark.since import OLDEST, SPARKS, Version, version_name, version_of
from tests.support.structured.pairs import goldens

TREES = [
    ast.parse((golden.folder / "after.py").read_text(encoding="utf-8")) for golden in goldens()
]
OWNERS = (
    *(Column, DataFrame, DataFrameReader, DataFrameWriter, GroupedData, RuntimeConfig, Row),
    *(SparkSession, SparkSession.Builder, streaming.DataStreamReader, streaming.DataStreamWriter),
    *(streaming.StreamingQuery, streaming.StreamingQueryManager),
)


def first_spark(found: object) -> Version | None:
    """The Spark that PySpark says to have something first, None if it does not say."""
    added = re.search(r"versionadded:: (\d+\.\d+)", inspect.getdoc(found) or "")
    return None if added is None else version_of(added[1])


def functions() -> Iterator[str]:
    """Yield the functions that goldens use, and those that translations use."""
    for tree in TREES:
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name(id="F"), attr=name):
                    yield name
    yield from RAW
    yield from since.FUNCTIONS


def test_functions_are_there_since_the_spark_of_the_table() -> None:
    wrong = {}
    for name in sorted({*functions()}):
        said = first_spark(getattr(pyspark.sql.functions, name))
        assert said is not None, name
        if max(said, OLDEST) != since.FUNCTIONS.get(name, OLDEST):
            wrong[name] = said
    assert wrong == {}


def test_methods_are_there_since_the_spark_of_the_table() -> None:
    nodes = (node for tree in TREES for node in ast.walk(tree))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    # RDDs always had theirs, and those of a state are called in its class only
    names -= {*dir(RDD), *dir(ValueState), *dir(streaming.StatefulProcessorHandle)}
    assert names >= {"transformWithState", "foreachBatch", "awaitAnyTermination"}
    wrong = {}
    for name in sorted(names | {*since.METHODS}):
        # a name may be one of several classes
        said = [first_spark(getattr(owner, name)) for owner in OWNERS if hasattr(owner, name)]
        first = min((each for each in said if each is not None), default=OLDEST)
        if max(first, OLDEST) != since.METHODS.get(name, OLDEST):
            wrong[name] = first
    assert wrong == {}


@pytest.mark.parametrize("name", since.OF_SESSION)
def test_methods_of_sessions_are_there_since_the_spark_of_the_table(name: str) -> None:
    assert first_spark(getattr(SparkSession, name)) == since.OF_SESSION[name]
    assert needed_version(f"SparkSession.{name}().stop()") == since.OF_SESSION[name]
    assert needed_version(f"spark.streams.{name}") == OLDEST


@pytest.mark.parametrize("path", since.CLASSES)
def test_classes_are_there_since_the_spark_of_the_table(path: str) -> None:
    assert first_spark(getattr(streaming, path.rpartition(".")[2])) == since.CLASSES[path]


@pytest.mark.parametrize("name", [*since.COLUMN_ARGUMENTS, *since.MORE_ARGUMENTS])
def test_functions_with_other_arguments_have_them(name: str) -> None:
    place, _ = {**since.COLUMN_ARGUMENTS, **since.MORE_ARGUMENTS}[name]
    parameters = inspect.signature(getattr(pyspark.sql.functions, name)).parameters
    assert len(parameters) > place


@pytest.mark.parametrize(
    ("code", "spark"),
    [
        ("F.explode(F.split(F.col('a'), ' '))", "3.3"),
        ("F.btrim(F.col('a'))", "3.5"),
        ("G.btrim(F.col('a'))", "3.3"),
        ("F.rtrim('a')", "3.3"),
        ("F.rtrim(F.col('a'), F.lit('x'))", "4.0"),
        ("F.substring(F.col('a'), 1, -5)", "3.3"),
        ("F.substring(F.col('a'), 1, F.length(F.col('a')) - 1)", "4.0"),
        ("F.split(F.col('a'), PATTERN)", "3.3"),
        ("F.map_contains_key(F.col('a'), 'x')", "3.4"),
        ("F.map_contains_key(F.col('a'), F.col('b'))", "4.0"),
        ("F.udf(f, 'bigint', useArrow=True)", "4.0"),
        ("a.groupBy('x').transformWithState(P())", "4.1"),
        ("from pyspark.sql.streaming import StatefulProcessor", "4.0"),
        ("builder.config('spark.log.level', 'WARN')", "3.5"),
        ("F.inline(F.col('a')); F.btrim(F.col('a'))", "3.5"),
    ],
)
def test_what_a_text_needs(code: str, spark: str) -> None:
    assert needed_version(code) == version_of(spark)


def test_versions_have_an_order() -> None:
    versions = [*map(version_of, SPARKS)]
    assert versions == sorted(versions)
    assert versions[0] == OLDEST
    assert [*map(version_name, versions)] == [*SPARKS]
    # the newest is the one that is installed
    assert pyspark.__version__.startswith(f"{SPARKS[-1]}.")
