"""A name has a meaning only if it cannot have another one at run time."""

from __future__ import annotations

import ast

import pytest

from dstream_compat.native import Refusal, Translation, Translator, column, to_source
from dstream_compat.native.names import function_environment, module_environment
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import String

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

def shadowing(len, given):
    inside = 1
    given = 2
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
    given = translator.map(ast.parse("lambda line: given", mode="eval").body, line)
    assert isinstance(given, Refusal) and given.code is Code.UNKNOWN_NAME
    known = translator.map(ast.parse("lambda line: (line, inside)", mode="eval").body, line)
    assert isinstance(known, Translation)
