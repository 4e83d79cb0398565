"""Patterns of `re` find in Java what they find in Python."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dstream_compat.native.refusals import Code
from tests.support.native import compare, filters, flat_maps, maps, refuse
from tests.support.native_values import TEXT

PATTERNS = [
    *maps(
        "lambda s: re.sub('[0-9]+', '#', s)",
        "lambda s: re.sub('a.', '', s)",
        "lambda s: re.sub(r'\\s+', ' ', s)",
        "lambda s: re.sub('[^a-z]', '$1', s)",
        "lambda s: re.sub('a|b', 'x', s)",
        "lambda s: re.sub(r'\\.|\\$|\\[|\\^', '_', s)",
        "lambda s: re.sub('a+?', 'x', s)",
        "lambda s: re.sub('a{2,3}', 'x', s)",
        "lambda s: re.sub('b$', '!', s)",
        "lambda s: re.sub('^a', '!', s)",
        "lambda s: re.sub('[\\\\]^&~-]', '', s)",
        "lambda s: re.sub('[\\U0001f600\\x00-\\x1f]', '', s)",
        "lambda s: len(re.findall('[a-z]', s))",
        "lambda s: re.findall('[a-z]+', s)",
        "lambda s: re.findall('([a-z])[0-9,]', s)",
    ),
    *flat_maps(
        "lambda s: re.split('[,;]', s)",
        "lambda s: re.split(r'\\s', s)",
        "lambda s: re.split(r'[\\s,]+', s)",
        "lambda s: [w for w in re.split('[^a-zA-Z]+', s) if w]",
    ),
    *filters(
        "lambda s: re.search('error', s)",
        "lambda s: re.match('a', s)",
        "lambda s: re.match('a|b', s) and len(s) > 1",
        "lambda s: re.fullmatch('a|ab', s)",
        "lambda s: re.fullmatch('[ab,]*', s)",
        "lambda s: not re.search('^$', s)",
        "lambda s: re.search('a$', s)",
        "lambda s: re.search(r'a\\Z', s)",
        "lambda s: re.search('.', s)",
        "lambda s: re.search(r'\\S', s)",
        "lambda s: bool(re.search('(?:ab),(1|2)?', s))",
        "lambda s: re.search('error|erase|ab|abc$', s)",
        "lambda s: re.fullmatch('x?(?:ab|ac|)(a|,b)?', s)",
    ),
]


@pytest.mark.slow
def test_patterns(spark: SparkSession) -> None:
    compare(spark, TEXT, PATTERNS)


def test_refused_patterns() -> None:
    refuse(
        TEXT,
        Code.REGEX,
        r"lambda s: re.split('\\d', s)",
        r"lambda s: re.split('\\W+', s)",
        r"lambda s: re.sub('\\w+', '', s)",
        r"lambda s: re.sub('\\ba', '', s)",
        "lambda s: re.sub('(a)\\\\1', '', s)",
        "lambda s: re.sub('(?=a)', '', s)",
        "lambda s: re.sub('(?i)a', '', s)",
        "lambda s: re.sub('(a|b)+', '', s)",
        "lambda s: re.sub('(ab)*', '', s)",
        "lambda s: re.sub('a*', '', s)",
        "lambda s: re.sub('a', '\\\\\\\\g<0>', s)",
        "lambda s: re.sub('[a', '', s)",
        "lambda s: re.split('(,)', s)",
        "lambda s: re.split('x?', s)",
        "lambda s: re.findall('(a)(b)', s)",
        "lambda s: re.split(',', s, flags=2)",
        "lambda s: re.sub('[\\u0100-\\uffff]', '', s)",
        "lambda s: re.sub('(?P<x>a)(?P=x)', '', s)",
    )
    refuse(TEXT, Code.ARGUMENTS, "lambda s: re.sub(s, '', 'a')", "lambda s: re.sub('a', s, 'a')")
    refuse(TEXT, Code.ARGUMENTS, "lambda s: re.split(',', s, 1)", "lambda s: re.sub('a', '', s, 1)")
    refuse(TEXT, Code.TYPE, "lambda s: re.match('a', s) is None and 1 + 'a'")
    refuse(
        TEXT,
        Code.UNKNOWN_FUNCTION,
        "lambda s: re.match('a', s).group(0)",
        "lambda s: re.compile('a').sub('', s)",
        "lambda s: re.escape(s)",
    )
