"""Functions of lists, bytes, JSON, patterns and times give what Python gives."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dstream_compat.native import Translation
from dstream_compat.native.columns import to_column
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import Array, Boolean, Double, Long, Map, Nullable, Record, String
from tests.support.native import Case, Values, attempt, compare, filters, flat_maps, maps, refuse
from tests.support.native_values import BYTES, TEXT, TEXTS, WORDS

LISTS = [
    *maps(
        "lambda x: len(x[0])",
        "lambda x: x[0][0]",
        "lambda x: x[0][-1]",
        "lambda x: x[0] + x[0]",
        "lambda x: [w for w in x[0] if w]",
        "lambda x: [(w, 1) for w in x[0]]",
        "lambda x: [n + 1 for n in x[1] if n > 0]",
        "lambda x: sum(x[1])",
        "lambda x: sum(n * 2 for n in x[1])",
        "lambda x: sum([n > 3 for n in x[1]])",
        "lambda x: max(x[1])",
        "lambda x: min(x[0])",
        "lambda x: max(n % 7 for n in x[1])",
        "lambda x: sorted(x[1])",
        "lambda x: sorted(x[0])",
        "lambda x: ','.join(x[0])",
        "lambda x: ' '.join(str(n) for n in x[1])",
        "lambda x: ''.join(w + '!' for w in x[0] if w)",
        "lambda x: list(x[0])",
        "lambda x: x[0][1:3]",
        "lambda x: x[1][2:]",
        "lambda x: x[1] or [0]",
        "lambda x: [[n, n + 1] for n in x[1]]",
        "lambda x: [w in x[0] for w in ['a', 'b', '']]",
        "lambda x: [(lambda v: v + v)(w) for w in x[0]]",
        "lambda x: (len(x[0]), len(x[1]))",
    ),
    *filters(
        "lambda x: x[0]",
        "lambda x: not x[1]",
        "lambda x: 'a' in x[0]",
        "lambda x: 0 in x[1]",
        "lambda x: any(n > 5 for n in x[1])",
        "lambda x: all(n > -5 for n in x[1] if n)",
        "lambda x: any(x[0])",
        "lambda x: len(x[0]) == len(x[1])",
        "lambda x: x[0][0] == 'a' if x[0] else False",
    ),
    *flat_maps(
        "lambda x: x[0]",
        "lambda x: x[1] + [1, 2]",
        "lambda x: [(w, x[1]) for w in x[0]]",
        "lambda x: map(lambda w: w.strip(), filter(lambda w: w, x[0]))",
        "lambda x: x[0] if len(x[0]) > 2 else []",
        "lambda x: iter(x[0])",
    ),
]
MAPS = Values(
    {"d": Map(String(), Long(0, 1000)), "k": String()},
    "d map<string, long>, k string",
    st.tuples(
        st.dictionaries(st.sampled_from(["a", "b", "c", "\xe9", ""]), st.integers(0, 1000)),
        st.sampled_from(["a", "b", "c", "\xe9", "", "d"]),
    ),
)
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


def test_lists(spark: SparkSession) -> None:
    compare(spark, WORDS, LISTS)


def test_maps(spark: SparkSession) -> None:
    compare(
        spark,
        MAPS,
        [
            *maps(
                "lambda x: x[0]['a']",
                "lambda x: x[0][x[1]]",
                "lambda x: x[0].get('a')",
                "lambda x: x[0].get(x[1], 0)",
                "lambda x: x[1] in x[0]",
                "lambda x: len(x[0])",
                "lambda x: x[0][x[1]] + 1 if x[1] in x[0] else 0",
            ),
            *filters("lambda x: x[0]", "lambda x: 'a' not in x[0]"),
        ],
    )


def test_bytes(spark: SparkSession) -> None:
    compare(
        spark,
        BYTES,
        maps(
            "lambda b: b.decode()",
            "lambda b: b.decode('utf-8')",
            "lambda b: b.decode('UTF8').strip()",
            "lambda b: len(b)",
        ),
    )
    refuse(
        BYTES, Code.ARGUMENTS, "lambda b: b.decode('latin-1')", "lambda b: b.decode('utf-8', 'x')"
    )


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


SHAPE = Record(
    ("user", "n", "tags", "place"),
    (
        Nullable(String()),
        Long(),
        Array(String()),
        Record(("x", "ok"), (Double(nan=False, inf=False), Boolean())),
    ),
)


def _written(value: dict, order: list[str], indent: int | None, ascii_only: bool) -> str:
    shuffled = {key: value[key] for key in order}
    return json.dumps({**shuffled, "more": [1, None]}, indent=indent, ensure_ascii=ascii_only)


DOCUMENTS = Values(
    {"line": String()},
    "line string",
    st.builds(
        _written,
        st.fixed_dictionaries(
            {
                "user": st.none() | TEXTS,
                "n": st.integers(-(2**63), 2**63 - 1),
                "tags": st.lists(TEXTS, max_size=3),
                "place": st.fixed_dictionaries(
                    {
                        "x": st.floats(allow_nan=False, allow_infinity=False),
                        "ok": st.booleans(),
                    }
                ),
            }
        ),
        st.permutations(["user", "n", "tags", "place"]),
        st.sampled_from([None, 1]),
        st.booleans(),
    ),
)


def _json(case: Case) -> Case:
    return dataclasses.replace(case, accept=frozenset((Code.JSON_SHAPE,)), json=SHAPE)


def test_json_of_the_given_shape(spark: SparkSession) -> None:
    cases = [
        *maps(
            "lambda s: json.loads(s)['user']",
            "lambda s: json.loads(s)['n']",
            "lambda s: (json.loads(s)['place']['x'], 1)",
            "lambda s: json.loads(s)['tags']",
            "lambda s: json.loads(s)['user'] or '?'",
        ),
        *filters("lambda s: json.loads(s)['place']['ok']"),
        *flat_maps("lambda s: json.loads(s)['tags']"),
    ]
    compare(spark, DOCUMENTS, [_json(case) for case in cases])


def test_json_of_another_shape_raises(spark: SparkSession) -> None:
    lines = ["", "[", "{", "5", "null", "[1]", "{}", '{"n": null}', '{"n": "5"}', '{"n": 1.5}']
    lines += ['{"n": 99999999999999999999}', '{"n": [1]}', '{"n": 5', "{'n': 5}"]
    lines += ['{"n": 05}', "{n: 5}", '{"n": 5, }', '{"n": true}']
    case = _json(maps("lambda s: json.loads(s)['n']")[0])
    found = case.translated(TEXT)
    assert isinstance(found, Translation)
    columns = [attempt(to_column(found.expression))]
    frame = spark.createDataFrame([(line,) for line in [*lines, '{"n": 5}']], "line string")
    results = [result[0] for result in frame.select(*columns).collect()]
    assert [result and result[0] for result in results] == [None] * len(lines) + [5]


def test_json_without_a_shape_is_refused() -> None:
    refuse(TEXT, Code.JSON_SHAPE, "lambda s: json.loads(s)['a']", "json.loads")
    wrong = _json(maps("lambda s: json.loads(s)['other']")[0]).translated(TEXT)
    assert wrong.code is Code.JSON_SHAPE


TIMES = Values(
    {"line": String()},
    "line string",
    st.one_of(
        st.datetimes().map(lambda t: t.strftime("%Y-%m-%d %H:%M:%S")),
        st.datetimes().map(lambda t: t.strftime("%Y-%m-%d")),
        st.datetimes().map(lambda t: t.strftime("%d/%m/%Y %H:%M")),
        st.datetimes().map(lambda t: t.strftime("%Y-%m-%dT%H:%M:%S.%fZ")),
        st.from_regex(r"\A(19|20|00)[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9](:[0-6][0-9]){2}\Z"),
        st.sampled_from(
            [
                *("2020-2-3", "2020-02-30", "1900-02-29", "0001-01-01", "9999-12-31"),
                *("0000-01-01", "2016-12-31 23:59:60", "2020-01-01 24:00:00", "1582-10-10"),
            ]
        ),
    ),
)


def test_times(spark: SparkSession) -> None:
    compare(
        spark,
        TIMES,
        maps(
            "lambda s: datetime.datetime.strptime(s, '%Y-%m-%d %H:%M:%S')",
            "lambda s: datetime.datetime.strptime(s, '%Y-%m-%d')",
            "lambda s: datetime.datetime.strptime(s, '%d/%m/%Y %H:%M')",
            "lambda s: datetime.datetime.strptime(s, '%Y-%m-%dT%H:%M:%S.%fZ')",
            "lambda s: datetime.datetime.strptime(s, '%Y-%m-%d').date()",
            accept=[Code.DATETIME_TEXT],
        ),
    )


def test_refused_times() -> None:
    strptime = "lambda s: datetime.datetime.strptime"
    refuse(TIMES, Code.DATETIME_TEXT, f"{strptime}(s, '%Y-%m-%d')")
    refuse(
        TIMES,
        Code.FORMAT,
        f"{strptime}(s, '%d %b %Y')",
        f"{strptime}(s, '%Y-%m-%d %z')",
        f"{strptime}(s, '%y-%m-%d')",
        f"{strptime}(s, '%H:%M')",
        f"{strptime}(s, '%Y-%m-%d %Y')",
        f"{strptime}(s, '%Y-%m-%d %')",
        f"{strptime}(s, '%Y-%m-%d\\t')",
    )
    refuse(TIMES, Code.ARGUMENTS, f"{strptime}('2020', s)")
    refuse(TIMES, Code.UNKNOWN_FUNCTION, "lambda s: datetime.datetime.now()")


@pytest.mark.parametrize("code", [Code.TYPE, Code.UNKNOWN_FUNCTION, Code.MIXED_TYPES, Code.ORDER])
def test_refused_lists(code: Code) -> None:
    sources = {
        Code.TYPE: [
            "lambda x: x[0] + x[1]",
            "lambda x: x[0] < x[0]",
            "lambda x: x[0] == x[0]",
            "lambda x: str(x[0])",
            "lambda x: 1 in x[0]",
            "lambda x: ','.join(x[1])",
            "lambda x: sum(x[0])",
            "lambda x: len",
            "lambda x: (w for w in x[0])",
            "lambda x: map(str, x[1])",
            "lambda x: (n for n in x[1])[0]",
            "lambda x: f'{x[0]}'",
        ],
        Code.UNKNOWN_FUNCTION: [
            "lambda x: x[0].index('a')",
            "lambda x: x[0].append('a')",
            "lambda x: reversed(x[0])",
            "lambda x: zip(x[0], x[1])",
            "lambda x: range(3)",
            "lambda x: x[0].count('a')",
            "lambda x: tuple(x[0])",
            "lambda x: x[0](1)",
        ],
        Code.MIXED_TYPES: ["lambda x: [1, 'a']", "lambda x: [1, 1.5]", "lambda x: [x[0], 1]"],
        Code.ORDER: ["lambda x: set(x[0])", "lambda x: len(set(x[0]))"],
    }
    refuse(WORDS, code, *sources[code])
