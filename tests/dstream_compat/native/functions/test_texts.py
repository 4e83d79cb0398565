"""Functions of texts give what Python gives, for texts with which Java and Python differ."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native.refusals import Code
from tests.support.native import compare, filters, flat_maps, maps, refuse
from tests.support.native_values import ASCII, TEXT, TEXT_PAIR

pytestmark = pytest.mark.slow

SPLITTING = [
    *flat_maps(
        "lambda line: line.split()",
        "lambda line: line.split(' ')",
        "lambda line: line.split(',')",
        "lambda line: line.split('aa')",
        "lambda line: line.split('|')",
        "lambda line: line.split('\\\\')",
        "lambda line: line.split('::', 1)",
        "lambda line: line.split(',', 2)",
        "lambda line: line.split(',', 0)",
        "lambda line: line.split(',', -1)",
        "lambda line: line.split(sep=None)",
        "lambda line: line.split(sep=',', maxsplit=1)",
        "lambda line: line.strip().split(',')",
        "lambda line: [(w, 1) for w in line.split(',')]",
        "lambda line: (w.strip() for w in line.split(',') if w)",
        "lambda line: map(lambda w: (w, len(w)), line.split())",
        "lambda line: filter(None, line.split(','))",
        "lambda line: list(map(str.strip, line.split(',')))",
        "lambda line: filter(lambda w: len(w) > 1 and w not in ('ab', 'Ab'), line.split(' '))",
        "lambda line: [len(w) for w in line.split() if w]",
        "lambda line: [line]",
        "lambda line: [] if line.startswith('a') else [line, line + '!']",
        "lambda line: (line, line.strip())",
        "str.split",
        "lambda line: sorted(line.split(','))",
        "lambda line: line.split(',')[1:]",
        "lambda line: line.split(',')[:2]",
        "lambda line: line.split(',')[1:3]",
    )
]
PARTS = maps(
    "lambda line: line.split(',')[0]",
    "lambda line: line.split(',')[1]",
    "lambda line: line.split(',')[-1]",
    "lambda line: line.split(',')[-2]",
    "lambda line: line.split()[0]",
    "lambda line: (line.split(',')[0], 1)",
    "lambda line: len(line.split(','))",
    "lambda line: sum(len(w) for w in line.split())",
    "lambda line: sum(1 for w in line.split() if w == 'a')",
    "lambda line: max(line.split(','))",
    "lambda line: min(line.split())",
    "lambda line: ','.join(line.split())",
    "lambda line: ' '.join([w.strip() for w in line.split(',')])",
    "lambda line: '-'.join((line, 'x', line))",
)
METHODS = maps(
    "lambda line: line",
    "lambda line: line.strip()",
    "lambda line: line.lstrip()",
    "lambda line: line.rstrip()",
    "lambda line: line.rstrip('\\n')",
    "lambda line: line.strip('ab,')",
    "lambda line: line.lstrip('[(')",
    "lambda line: line.strip('')",
    "lambda line: line.strip('\\u00df\\U0001f600 ')",
    "lambda line: line.replace('a', 'bb')",
    "lambda line: line.replace('aa', '')",
    "lambda line: line.replace('$', '\\\\')",
    "lambda line: line.replace(',', ' ').split()",
    "lambda line: line.find('a')",
    "lambda line: line.find('')",
    "lambda line: line.find('\\U0001f600')",
    "lambda line: len(line)",
    "lambda line: (line, len(line))",
    "lambda line: line + '!'",
    "lambda line: '' + line",
    "lambda line: 'a' + ('b' + line + line) + 'c'",
    "lambda line: line[0]",
    "lambda line: line[2]",
    "lambda line: line[-1]",
    "lambda line: line[-3]",
    "lambda line: line[:2]",
    "lambda line: line[1:]",
    "lambda line: line[1:3]",
    "lambda line: line[3:1]",
    "lambda line: line[:-1]",
    "lambda line: line[1:-2]",
    "lambda line: line[-2:]",
    "lambda line: line[:]",
    "lambda line: line[:0]",
    "lambda line: str(line)",
    "lambda line: bool(line)",
    "lambda line: not line",
    "lambda line: line or 'empty'",
    "lambda line: line and line[0]",
    "lambda line: 'long' if len(line) > 3 else 'short' if line else ''",
    "lambda line: [line, 'x'][0]",
    "lambda line: 'a\\x00b' + line",
)
FORMATS = maps(
    "lambda line: f'{line}: {len(line)}'",
    "lambda line: f'{line}{{}}{len(line):d}'",
    "lambda line: f'{line!s}'",
    "lambda line: '%s is %d long, 100%%' % (line, len(line))",
    "lambda line: '%s' % line",
    "lambda line: '{} {}'.format(line, len(line))",
    "lambda line: '{1}{0}{1}'.format(line, 7)",
    "lambda line: '{:d}'.format(len(line))",
    "lambda line: str(len(line)) + str(line == 'a') + str(None)",
)
CONDITIONS = filters(
    "lambda line: line",
    "lambda line: 'error' in line",
    "lambda line: 'error' not in line",
    "lambda line: '' in line",
    "lambda line: line in 'a,b error'",
    "lambda line: line in ('a', 'b', '')",
    "lambda line: line not in ['a', 'b']",
    "lambda line: line in {'a', 'ß'}",
    "lambda line: line.startswith('a')",
    "lambda line: line.startswith(('a', '', 'b'))",
    "lambda line: line.endswith('\\U0001f600')",
    "lambda line: not line.startswith('#')",
    "lambda line: line == 'a'",
    "lambda line: line != ''",
    "lambda line: line < 'b'",
    "lambda line: line >= '\\uffff'",
    "lambda line: 'a' < line <= 'z'",
    "lambda line: 0 < len(line) < 4",
    "lambda line: len(line.split(',')) > 2 and line.split(',')[2] == '1'",
    "lambda line: len(line.split(',')) < 3 or line.split(',')[2] == '1'",
    "lambda line: line.split(',')[2] == '1' or len(line) > 3",
    "lambda line: not (line and line[0] == 'a')",
    "lambda line: any(w == 'a' for w in line.split(','))",
    "lambda line: all(w in line for w in ['a', 'b'])",
    "lambda line: all(len(w) < 3 for w in line.split(','))",
    "lambda line: 'a' in line.split(',')",
    "lambda line: len(line.split(',')) == 3",
    "lambda line: bool(line.strip()) is not None",
    "lambda line: 'a' if line else ''",
)
PAIRS = [
    *maps(
        "lambda x: x[0] + x[1]",
        "lambda x: (x[1], x[0])",
        "lambda x: (x[0], (x[1], 1))",
        "lambda x: x",
        "lambda x: x[:1]",
        "lambda x: x + (1,)",
        "lambda x: x[-1]",
        "lambda x: max(x[0], x[1])",
        "lambda x: min(x[0], x[1], 'm')",
        "lambda x: x[0] in x[1]",
        "lambda x: x[0] == x[1]",
        "lambda x: x[0] < x[1]",
        "lambda x: x[0] > x[1]",
        "lambda x: x[0] or x[1]",
        "lambda x: x[0] and x[1]",
        "lambda x: (x[0], 1) == (x[1], 1)",
        "lambda x: x == ('a', 'b')",
        "lambda x: x[0].startswith(x[1])",
        "lambda x: x[0].replace('a', x[1])",
        "lambda x: '%s,%s' % x",
        "lambda x: ','.join(x)",
        "operator.itemgetter(1)",
        "operator.itemgetter(1, 0)",
        "lambda x: (lambda a: a + x[1])(x[0])",
        "lambda x: [w + x[1] for w in x[0].split(',')]",
        "lambda x: [[w + v for v in x[1].split(',')] for w in x[0].split(',')]",
    )
]


def test_splitting(spark: SparkSession) -> None:
    compare(spark, TEXT, [*SPLITTING, *PARTS])


def test_methods(spark: SparkSession) -> None:
    compare(spark, TEXT, [*METHODS, *FORMATS])


def test_conditions(spark: SparkSession) -> None:
    compare(spark, TEXT, CONDITIONS)


def test_pairs(spark: SparkSession) -> None:
    compare(spark, TEXT_PAIR, PAIRS)


def test_ascii(spark: SparkSession) -> None:
    compare(
        spark,
        ASCII,
        [
            *maps(
                "lambda w: w.lower()",
                "lambda w: w.upper()",
                "lambda w: (w.strip().lower(), 1)",
            ),
            *flat_maps("lambda w: w.lower().split()"),
            *filters("lambda w: 'a' in w.lower()"),
        ],
    )


def test_ascii_is_searched_in_any_case(spark: SparkSession) -> None:
    compare(
        spark,
        TEXT,
        filters(
            "lambda s: 'error' in s.lower()",
            "lambda s: 'ERROR' not in s.upper()",
            "lambda s: 's' in s.upper() or 'SS' in s.upper()",
            "lambda s: 'i' in s.lower()",
            "lambda s: 'k' in s.lower()",
            "lambda s: s.lower() == 'a'",
            "lambda s: s.lower() != 'ab'",
            "lambda s: s.strip().upper() in ('A', 'FI', 'SS', '')",
            "lambda s: s.lower().startswith('err')",
            "lambda s: not s.upper().endswith('S')",
        ),
    )
    code = Code.CASE_MAPPING
    refuse(
        TEXT,
        code,
        "lambda s: '\xe9' in s.lower()",
        "lambda s: s in s.lower()",
        "lambda s: s.lower() in s",
        "lambda s: s.lower() == s",
        "lambda s: s.lower() < 'a'",
        "lambda s: s.lower() in ('a', '\xe9')",
        "lambda s: s.lower() in ('a', s)",
        "lambda s: s.lower().startswith(s)",
        "lambda s: s.lower().startswith('\xdf')",
        "lambda s: len(s.lower())",
        "lambda s: s.lower()[0]",
        "lambda s: s.lower() + 'a'",
        "lambda s: (s.lower(), 1)",
        "lambda s: [s.lower()]",
        "lambda s: f'{s.lower()}'",
        "lambda s: s.lower() if s else ''",
        "lambda s: s.lower() or 'a'",
        "lambda s: not s.lower()",
        "lambda s: s.lower().strip()",
        "lambda s: s.upper().lower()",
        "lambda s: [w.lower() for w in s.split()]",
        "lambda s: map(str.lower, s.split())",
        "lambda s: max(s.lower(), s)",
        "lambda s: (lambda w: w)(s.lower())",
        "lambda s: 'a'.join([s.lower()])",
    )


def test_case_of_any_text_raises_beyond_ascii(spark: SparkSession) -> None:
    code = Code.CASE_MAPPING
    compare(
        spark,
        TEXT,
        maps("lambda s: s.lower()", "lambda s: (s.strip().upper(), 1)", accept=[code]),
    )
    refuse(TEXT, code, "lambda s: s.lower()", "lambda s: s.upper().split()", "str.lower")
