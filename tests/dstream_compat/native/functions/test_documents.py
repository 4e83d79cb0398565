"""JSON texts of a given shape are read as Python reads them."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dstream_compat.native import Translation
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import Array, Boolean, Double, Long, Nullable, Record, String
from tests.support.native import (
    Case,
    Values,
    attempt,
    compare,
    filters,
    flat_maps,
    maps,
    refuse,
    to_column,
)
from tests.support.native_values import TEXT, TEXTS

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


@pytest.mark.slow
def test_json_of_the_given_shape(spark: SparkSession) -> None:
    cases = [
        *maps(
            "lambda s: json.loads(s)['user']",
            "lambda s: json.loads(s)['n']",
            "lambda s: (json.loads(s)['place']['x'], 1)",
            "lambda s: json.loads(s)['tags']",
            "lambda s: json.loads(s)['user'] or '?'",
            "lambda s: json.loads(s).get('user')",
            "lambda s: json.loads(s).get('n', 0)",
        ),
        *filters(
            "lambda s: json.loads(s)['place']['ok']",
            "lambda s: json.loads(s)['n'] > 5",
            "lambda s: 5 == json.loads(s)['n']",
            "lambda s: json.loads(s)['n'] in (1, 1099511627776, -1)",
            "lambda s: json.loads(s)['place']['x'] >= 1",
            "lambda s: json.loads(s)['place']['x'] != 0",
        ),
        *flat_maps("lambda s: json.loads(s)['tags']"),
    ]
    compare(spark, DOCUMENTS, [_json(case) for case in cases])


@pytest.mark.slow
def test_json_of_another_shape_raises(spark: SparkSession) -> None:
    lines = ["", "[", "{", "5", "null", "[1]", "{}", '{"n": null}', '{"n": "5"}', '{"n": 1.5}']
    lines += ['{"n": 99999999999999999999}', '{"n": [1]}', '{"n": 5', "{'n': 5}"]
    lines += ['{"n": 05}', "{n: 5}", '{"n": 5, }', '{"n": true}']
    case = _json(maps("lambda s: json.loads(s)['n']")[0])
    compared = filters(
        "lambda s: json.loads(s)['n'] > 5", "lambda s: json.loads(s)['n'] == 1099511627776"
    )
    found = [each.translated(TEXT) for each in (case, *map(_json, compared))]
    assert all(isinstance(each, Translation) for each in found)
    frame = spark.createDataFrame([(line,) for line in [*lines, '{"n": 5}']], "line string")
    for each, value in zip(found, (5, False, False), strict=True):
        rows = frame.select(attempt(to_column(each.expression))).collect()
        assert [row[0] and row[0][0] for row in rows] == [None] * len(lines) + [value]


def test_json_without_a_shape_is_refused() -> None:
    refuse(TEXT, Code.JSON_SHAPE, "lambda s: json.loads(s)['a']", "json.loads")
    wrong = _json(maps("lambda s: json.loads(s)['other']")[0]).translated(TEXT)
    assert wrong.code is Code.JSON_SHAPE


def test_a_missing_key_is_not_told_from_none() -> None:
    for source in ("json.loads(s).get('user', '?')", "'user' in json.loads(s)"):
        found = _json(maps(f"lambda s: {source}")[0]).translated(TEXT)
        assert found.code is Code.MISSING_KEY
