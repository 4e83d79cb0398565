"""What a translation gives its caller: records with names, types, errors, and no long wait."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from dstream_compat.native import Refusal, Translation, Translator, column, row, to_source
from dstream_compat.native.names import module_environment
from dstream_compat.native.refusals import ACCEPTABLE, Code
from dstream_compat.native.types import Long, String, tuple_of
from tests.support.native import refuse, to_column
from tests.support.native_values import TEXT_PAIR


def _first_function(source: str, accept: frozenset[Code] = ACCEPTABLE) -> Translation | Refusal:
    module = ast.parse(source)
    (node,) = (each for each in module.body if isinstance(each, ast.FunctionDef))
    return Translator(module_environment(module), accept).map(node, column("line", String()))


def test_rows_have_attributes() -> None:
    record = row({"word": String(), "n": Long(0, 9)}, attributes=True)
    node = ast.parse("lambda r: (r.word, r.n + 1, r[0])", mode="eval").body
    found = Translator().map(node, record)
    assert isinstance(found, Translation)
    sources = [to_source(each).text for _, each in found.columns(["word", "n", "again"])]
    assert sources == ['F.col("word")', 'F.col("n") + 1', 'F.col("word")']
    refuse(TEXT_PAIR, Code.TYPE, "lambda r: r.a")


def test_a_chain_of_types() -> None:
    translator = Translator()
    words = translator.flat_map(_lambda("lambda line: line.split(' ')"), column("line", String()))
    assert isinstance(words, Translation)
    pairs = translator.map(_lambda("lambda word: (word, 1)"), column("word", words.type))
    assert isinstance(pairs, Translation)
    names = ["word", "one"]
    fields = pairs.columns(names)
    record = row(dict(zip(names, (each.type for _, each in fields), strict=True)))
    kept = translator.filter(_lambda("lambda x: len(x[0]) > 3 and x[1] == 1"), record)
    assert isinstance(kept, Translation)
    assert to_source(kept.expression).text == '(F.length(F.col("word")) > 3) & (F.col("one") == 1)'


def test_columns_of_a_tuple_that_is_chosen() -> None:
    pairs = row({"a": tuple_of(String(), Long()), "b": tuple_of(String(), Long())})
    found = Translator().map(_lambda("lambda x: x[0] if x[0][1] > x[1][1] else x[1]"), pairs)
    assert isinstance(found, Translation)
    sources = [to_source(each).text for _, each in found.columns(["word", "n"])]
    chosen = 'F.when(F.col("a")["_2"] > F.col("b")["_2"], F.col("a")).otherwise(F.col("b"))'
    assert sources == [f'{chosen}["_1"]', f'{chosen}["_2"]']


def _lambda(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def test_only_acceptable_codes_are_accepted() -> None:
    with pytest.raises(ValueError, match="cannot be accepted: SYNTAX"):
        Translator(accept=[Code.SYNTAX])


@pytest.mark.slow
def test_what_cannot_be_translated_in_finite_time_is_refused() -> None:
    branches = "".join(f"    if 'a{n}' in line:\n        n = n + {n}\n" for n in range(40))
    deep = "def f(line):\n    return " + "not " * 900 + "line\n"
    for source in (f"def f(line):\n    n = 0\n{branches}    return n\n", deep):
        found = _first_function(source)
        assert isinstance(found, Refusal) and found.code is Code.SYNTAX


@pytest.mark.slow
def test_neither_pyspark_nor_libcst_is_imported() -> None:
    code = (
        "import sys, dstream_compat.native; "
        "sys.exit(bool({'pyspark', 'libcst', 'migrator'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_errors_fail_the_batch(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("a,b",), ("a",)], "line string")
    found = Translator().map(_lambda("lambda line: line.split(',')[1]"), column("line", String()))
    assert isinstance(found, Translation) and found.may_raise
    with pytest.raises(Exception, match="INVALID_ARRAY_INDEX"):
        frame.select(to_column(found.expression)).collect()
    guarded = Translator().map(
        _lambda("lambda x: x.split(',')[1] if len(x.split(',')) > 1 else x.split(',')[0]"),
        column("line", String()),
    )
    # with the common parts of the expression computed once
    column_of = to_column(guarded.expression)
    assert [r[0] for r in frame.select(column_of).collect()] == ["b", "a"]
    assert [r[0] for r in frame.where(F.length(column_of) > 0).select("line").collect()] == [
        "a,b",
        "a",
    ]
