"""Functions with names and statements: as syntax, and as functions that exist."""

from __future__ import annotations

import ast
import json
import operator
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from dstream_compat.native import Refusal, Translation, Translator, column, row, to_source
from dstream_compat.native.columns import to_column
from dstream_compat.native.names import function_environment, module_environment
from dstream_compat.native.refusals import ACCEPTABLE, Code
from dstream_compat.native.types import Long, String
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
        (Code.SYNTAX, _body("a, b = line.split(',')", "return a")),
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


MODULE = """
import re
import json as js
import numpy as np
from operator import add, itemgetter
from datetime import datetime
from pyspark.streaming import *

SEP = ","
STOP = ["a", "the"]
CHANGED = ["a"]
CHANGED.append("b")
TWICE = 1
TWICE = 2
COUNT = 0
for i in range(3):
    LOOPED = i
PAIR = ("a", 1)
double = lambda x: x + x

def bump():
    global COUNT
    COUNT += 1

def clean(line, sep=SEP):
    return line.strip().split(sep)[0]

def shadowing(len):
    inside = 1
    return lambda line: len(line) + inside
"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("lambda line: line.split(SEP)", 'F.split(F.col("line"), ",")'),
        ("lambda line: line in STOP", 'F.col("line").isin("a", "the")'),
        ("lambda line: line == PAIR[0]", 'F.col("line") == "a"'),
        ("double", 'F.concat(F.col("line"), F.col("line"))'),
        ("lambda line: add(line, SEP)", 'F.concat(F.col("line"), F.lit(","))'),
        ("lambda line: re.search('a', line) and 1", None),
        ("clean", None),
        ("lambda line: clean(line, sep=';')", None),
        ("lambda line: CHANGED", Code.UNKNOWN_NAME),
        ("lambda line: line in CHANGED", Code.UNKNOWN_NAME),
        ("lambda line: TWICE", Code.UNKNOWN_NAME),
        ("lambda line: COUNT", Code.UNKNOWN_NAME),
        ("lambda line: LOOPED", Code.UNKNOWN_NAME),
        ("lambda line: np.sum(line)", Code.UNKNOWN_NAME),
        ("lambda line: inside", Code.UNKNOWN_NAME),
        ("lambda line: js.loads(line)", Code.JSON_SHAPE),
    ],
)
def test_names_of_a_module(source: str, expected: str | Code | None) -> None:
    environment = module_environment(ast.parse(MODULE))
    node = ast.parse(source, mode="eval").body
    found = Translator(environment).map(node, column("line", String()))
    if isinstance(expected, Code):
        assert isinstance(found, Refusal) and found.code is expected
    elif "re.search" in source:
        assert isinstance(found, Refusal) and found.code is Code.MIXED_TYPES
    else:
        assert isinstance(found, Translation), found
        if expected is not None:
            assert to_source(found.expression).text == expected


def test_star_imports_may_hide_builtins() -> None:
    node = ast.parse("lambda line: len(line)", mode="eval").body
    for module, known in [
        ("from pyspark.sql.functions import *", False),
        ("from tools import *", False),
        ("if True:\n    from tools import *", False),
        ("len = max", False),
        ("def len(x): return 1", True),
        ("from pyspark.sql.types import *", True),
        ("", True),
    ]:
        environment = module_environment(ast.parse(module))
        found = Translator(environment).map(node, column("line", String()))
        assert isinstance(found, Translation) is known, module
        if module.startswith("def"):
            assert to_source(found.expression).text == "F.lit(1)"


def test_names_of_a_function_around() -> None:
    module = ast.parse(MODULE)
    outer = module.body[-1]
    assert isinstance(outer, ast.FunctionDef)
    environment = function_environment(outer, module_environment(module))
    translator = Translator(environment)
    line = column("line", String())
    hidden = translator.map(ast.parse("lambda line: len(line)", mode="eval").body, line)
    assert isinstance(hidden, Refusal) and hidden.code is Code.UNKNOWN_NAME
    known = translator.map(ast.parse("lambda line: (line, inside)", mode="eval").body, line)
    assert isinstance(known, Translation)


SEPARATOR = ","
WORDS = ["a"]


def exclaimed(line: str, by: str = "!") -> str:
    return line + by


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


@decorated
def with_decorator(line: str) -> str:
    return line


def test_functions_that_exist(spark: SparkSession) -> None:
    inside = "?"
    pair = [lambda line: line + "1", lambda line: line + "2"]
    functions: list[Callable[[str], Any]] = [
        exclaimed,
        lambda line: line.split(SEPARATOR),
        lambda line: exclaimed(line, by=inside),
        lambda line: (
            line,
            len(line),
        ),
        lambda line, n=3: len(line) > n,
        lambda line: (lambda w: w + w)(line),
        *pair,
        str.strip,
        len,
        operator.itemgetter(0),
        lambda line: re.sub("a", "b", line),
    ]
    translator = Translator()
    found = [translator.map(each, column("line", String())) for each in functions]
    assert [each for each in found if isinstance(each, Refusal)] == []
    lines = ["a,b", " \x1cab ", "xyz"]
    frame = spark.createDataFrame([(line,) for line in lines], "line string")
    results = frame.select(*(to_column(each.expression) for each in found)).collect()
    for line, result in zip(lines, results, strict=True):
        got = [tuple(each) if isinstance(each, tuple) else each for each in result]
        assert got == [function(line) for function in functions]


def test_functions_that_exist_are_refused() -> None:
    later = None
    namespace: dict[str, Any] = {}
    exec("f = lambda line: line", namespace)
    for function, code in [
        (lambda line: line in WORDS, Code.UNKNOWN_NAME),
        (lambda line: later.strip(line), Code.UNKNOWN_FUNCTION),
        (lambda line: pytest.approx(line), Code.UNKNOWN_NAME),
        (namespace["f"], Code.NO_SOURCE),
        (with_decorator, Code.NO_SOURCE),
        (print, Code.UNKNOWN_FUNCTION),
        (json.dumps, Code.ARGUMENTS),
        (re.compile("a").search, Code.UNKNOWN_FUNCTION),
    ]:
        found = Translator().map(function, column("line", String()))
        assert isinstance(found, Refusal), function
        assert found.code is code, found


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
