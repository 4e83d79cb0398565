"""Functions with names and statements: as syntax, and as functions that exist."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from dstream_compat.native import Refusal, Translation, Translator, column, row, to_source
from dstream_compat.native.columns import to_column
from dstream_compat.native.names import module_environment
from dstream_compat.native.refusals import ACCEPTABLE, Code
from dstream_compat.native.types import Long, String, tuple_of
from tests.support.native import Case, Values, compare, refuse
from tests.support.native_values import MAYBE, TEXT, TEXT_PAIR

FUNCTIONS = [
    '''def f(line):
    """Cleans a line."""
    line = line.strip()
    if not line:
        return ("", 0)
    words = line.split(",")
    first = words[0]
    return (first, len(words))
''',
    """def f(line):
    if line.startswith('a'):
        kind = 'a'
    elif len(line) > 3:
        kind = 'long'
    else:
        kind = 'other'
    return (kind, 1)
""",
    """def f(line):
    n = 0
    if 'a' in line:
        n += 1
    if 'b' in line:
        n = n + 2
    return n
""",
    """def f(line):
    if line == 'a':
        raise ValueError('a')
    return line
""",
    """def f(line):
    def longer(word, by='!'):
        return word + by
    return [longer(w) for w in line.split(',')]
""",
    """def f(line):
    if len(line) > 2:
        return line[2]
""",
    """def f(line):
    import re
    from operator import add as plus
    first: str = line.split(',')[0]
    pass
    return plus(first, '!')
""",
    """def f(line):
    shout = lambda w: w + '!'
    if line and line[0] == 'a':
        return shout(line)
    return shout('')
""",
    """def f(line):
    if False:
        return 'never'
    return line
""",
    """def f(line):
    key, value = line.split(',')
    return (key, value.strip())
""",
    """def f(line):
    _, value, _ = line.split(',')
    return value or None
""",
    """def f(line):
    low = line.lower()
    if 'error' in low:
        return 1
    return 2 if low == 'a' else 3
""",
]


PAIR_FUNCTIONS = [
    """def f(x):
    a, b = x
    return b, a
""",
    """def f(x):
    (a, (b, n)) = (x[0], (x[1], 1))
    return (a + b, n)
""",
]


NONE_FUNCTIONS = [
    """def f(x):
    key, n = x
    if key is None or n is None:
        return None
    return key + str(n + 1)
""",
    """def f(x):
    if x[0] is not None:
        return len(x[0])
    return 0
""",
    """def f(x):
    if x[0]:
        if x[1] is None:
            return x[0]
        return x[0].strip()
    return 'none'
""",
]


@pytest.mark.parametrize(
    ("values", "sources"),
    [
        pytest.param(TEXT, FUNCTIONS, id="texts"),
        pytest.param(TEXT_PAIR, PAIR_FUNCTIONS, id="pairs"),
        pytest.param(MAYBE, NONE_FUNCTIONS, id="None"),
    ],
)
def test_functions_with_statements(spark: SparkSession, values: Values, sources: list[str]) -> None:
    compare(spark, values, [Case(source) for source in sources])


def test_filters_with_statements(spark: SparkSession) -> None:
    sources = [
        """def f(line):
    if not line:
        return
    return line.split(',')[0] and len(line) > 1
""",
        "def f(line):\n    words = line.split()\n    return words and words[0] == 'a'\n",
    ]
    compare(spark, TEXT, [Case(source, "filter") for source in sources])


def _body(*lines: str) -> str:
    return "def f(line):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        (Code.SYNTAX, _body("for w in line:", "    return w")),
        (Code.SYNTAX, _body("while line:", "    return 1", "return 2")),
        (Code.SYNTAX, _body("try:", "    return int(line)", "except ValueError:", "    return 0")),
        (Code.SYNTAX, _body("with line as x:", "    return x")),
        (Code.SYNTAX, _body("assert line", "return line")),
        (Code.SYNTAX, _body("global line2", "return line")),
        (Code.SYNTAX, _body("del line", "return 1")),
        (Code.SYNTAX, _body("a = b = line", "return a")),
        (Code.SYNTAX, _body("line[0] = 'a'", "return line")),
        (Code.SYNTAX, _body("a, *b = line.split(',')", "return a")),
        (Code.SYNTAX, _body("a, b = line", "return a")),
        (Code.EVALUATION, _body("a, b = line.split(',')", "return line")),
        (Code.EVALUATION, _body("a, b = line.split(',')", "return a if line else b")),
        (Code.SYNTAX, _body("class A: pass", "return line")),
        (Code.SIDE_EFFECT, _body("print(line)", "return line")),
        (Code.SIDE_EFFECT, _body("words.append(line)", "return line")),
        (Code.EVALUATION, _body("first = line.split(',')[1]", "return 1")),
        (Code.EVALUATION, _body("first = line[0]", "if line:", "    return first", "return ''")),
        (Code.EVALUATION, _body("a, b = (line[0], line)", "return b")),
        (Code.EVALUATION, _body("a = (line[0], line)", "return a[1]")),
        (Code.RECURSION, _body("return f(line)")),
        (Code.UNKNOWN_NAME, _body("return later", "later = 1")),
        (Code.UNKNOWN_NAME, _body("if line:", "    n = 1", "return n")),
        (Code.UNKNOWN_NAME, _body("n = 1", "g = lambda: n", "n = 2", "return g()")),
        (Code.UNKNOWN_NAME, _body("import numpy", "return numpy.mean(line)")),
        (Code.TYPE, _body("words = (w for w in line.split())", "return list(words)")),
        (Code.MIXED_TYPES, _body("if line:", "    return 1", "return 'a'")),
        (Code.ALWAYS_RAISES, _body("raise ValueError(line)")),
    ],
)
def test_refused_functions(code: Code, source: str) -> None:
    found = _first_function(source)
    assert isinstance(found, Refusal)
    assert found.code is code, found
    assert found.line is not None


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


def test_what_cannot_be_translated_in_finite_time_is_refused() -> None:
    branches = "".join(f"    if 'a{n}' in line:\n        n = n + {n}\n" for n in range(40))
    deep = "def f(line):\n    return " + "not " * 900 + "line\n"
    for source in (f"def f(line):\n    n = 0\n{branches}    return n\n", deep):
        found = _first_function(source)
        assert isinstance(found, Refusal) and found.code is Code.SYNTAX


def test_neither_pyspark_nor_libcst_is_imported() -> None:
    code = (
        "import sys, dstream_compat.native; "
        "sys.exit(bool({'pyspark', 'libcst', 'migrator'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


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
