"""Named tuples and `Row` are tuples whose fields have names."""

from __future__ import annotations

import ast

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native import Refusal, Translation, Translator, column, to_source
from dstream_compat.native.names import module_environment
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import String
from tests.support.native import compare, filters, maps, refuse
from tests.support.native_values import TEXT

FUNCTIONS = [
    *maps(
        "lambda line: Pair(line, len(line))",
        "lambda line: Pair(count=1, first=line.strip())",
        "lambda line: Pair(*(line, 1))",
        "lambda line: Pair(line, 2) if line else Pair('', 0)",
        "lambda line: Pair(line, len(line)).count",
        "lambda line: Pair(line, len(line))[0] + Pair(line, 1).first",
        "lambda line: Pair(line, len(line))[:1]",
        "lambda line: [Pair(word, len(word)) for word in line.split(',')]",
        "lambda line: [pair.count for pair in [Pair(word, 1) for word in line.split()]]",
        "lambda line: '%s: %d' % Pair(line, len(line))",
        "lambda line: (line, Pair(line, 1))",
        "lambda line: Row(text=line, size=len(line))",
        "lambda line: Row(size=len(line), text=line).text",
        "lambda line: Row(count=len(line), text=line)['count'] + 1",
        "lambda line: (lambda first, count: count)(*Pair(line, len(line)))",
    ),
    *filters(
        "lambda line: Pair(line, 1) == (line, 1)",
        "lambda line: Pair(line, len(line)).count > 3",
        "lambda line: Row(a=line, b=1) == Row(a='a', b=1)",
    ),
]
MODULE = """
import collections
from collections import namedtuple
from typing import NamedTuple
from pyspark.sql import Row as Record

FIELDS = ("user", "count")
Visit = namedtuple("Visit", FIELDS)
Hidden = namedtuple("Hidden", "_user count")
Renamed = namedtuple("Renamed", "user user", rename=True)
Cased = namedtuple("Cased", "user User")
Twice = namedtuple("Twice", "a b")
Twice = namedtuple("Twice", "b a")

class Typed(NamedTuple):
    user: str
    count: int = 0

class Plain(NamedTuple):
    user: str
    count: int
"""


@pytest.mark.slow
def test_is_what_python_gives(spark: SparkSession) -> None:
    compare(spark, TEXT, FUNCTIONS)


def test_what_rows_and_named_tuples_do_not_share_is_refused() -> None:
    refuse(
        TEXT, Code.TYPE, "lambda line: Row(count=1).count", "lambda line: Pair(line, 1)['first']"
    )
    refuse(TEXT, Code.MIXED_TYPES, "lambda line: Pair(line, 1) if line else (line, 0)")
    refuse(TEXT, Code.MIXED_TYPES, "lambda line: Pair(line, 1) if line else Row(first='', count=0)")
    refuse(TEXT, Code.ALWAYS_RAISES, "lambda line: Pair(line)", "lambda line: Pair(line, 1, 2)")
    refuse(TEXT, Code.ALWAYS_RAISES, "lambda line: Pair(line, first=line)")
    refuse(TEXT, Code.ARGUMENTS, "lambda line: Row(line, 1)", "lambda line: Row(a=1, A=2)")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("lambda line: Visit(line, 1)", ("user", "count")),
        ("lambda line: Plain(user=line, count=1)", ("user", "count")),
        ("lambda line: Record(count=1, user=line)", ("count", "user")),
        ("lambda line: collections.namedtuple('A', 'b')(line)", Code.UNKNOWN_NAME),
        ("lambda line: Hidden(line, 1)", Code.UNKNOWN_NAME),
        ("lambda line: Renamed(line, 1)", Code.UNKNOWN_NAME),
        ("lambda line: Cased(line, 1)", Code.UNKNOWN_NAME),
        ("lambda line: Twice(line, 1)", Code.UNKNOWN_NAME),
        ("lambda line: Typed(line)", Code.UNKNOWN_NAME),
    ],
)
def test_a_class_of_the_file(source: str, expected: tuple[str, ...] | Code) -> None:
    environment = module_environment(ast.parse(MODULE))
    function = ast.parse(source, mode="eval").body
    found = Translator(environment).map(function, column("line", String()))
    if isinstance(expected, Code):
        assert isinstance(found, Refusal)
        assert found.code is expected
    else:
        assert isinstance(found, Translation)
        names = [
            text.partition('"')[0] for text in to_source(found.expression).text.split('alias("')
        ]
        assert tuple(names[1:]) == expected
