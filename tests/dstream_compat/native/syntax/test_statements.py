"""Functions with statements give what Python gives, or are refused."""

from __future__ import annotations

import ast

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native import Refusal, Translation, Translator, column
from dstream_compat.native.names import module_environment
from dstream_compat.native.refusals import ACCEPTABLE, Code
from dstream_compat.native.types import String
from tests.support.native import Case, Values, compare
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


@pytest.mark.slow
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


def _first_function(source: str) -> Translation | Refusal:
    module = ast.parse(source)
    (node,) = (each for each in module.body if isinstance(each, ast.FunctionDef))
    return Translator(module_environment(module), ACCEPTABLE).map(node, column("line", String()))
