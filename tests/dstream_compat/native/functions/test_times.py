"""Texts are read as times by `strptime` and by Spark alike, or raise."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from dstream_compat.native.refusals import Code
from dstream_compat.native.types import String
from tests.support.native import Values, compare, maps, refuse

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


def _parts(result: str) -> str:
    parse = "datetime.datetime.strptime(s, '%Y-%m-%d %H:%M:%S')"
    return f"lambda s: (lambda t: {result})({parse})"


@pytest.mark.slow
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
            "lambda s: datetime.datetime.strptime(s, '%Y-%m-%d').date().year",
            "lambda s: datetime.datetime.strptime(s, '%Y-%m-%d %H:%M:%S').hour * 60",
            _parts("(t.year, t.month, t.day, t.hour, t.minute, t.second)"),
            _parts("t > datetime.datetime.strptime('2000-01-01', '%Y-%m-%d')"),
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
    day = "datetime.datetime.strptime(s, '%Y-%m-%d')"
    refuse(
        TIMES,
        Code.TYPE,
        f"lambda s: {day}.date().hour",
        f"lambda s: {day}.microsecond",
        f"lambda s: {day} - {day}",
        f"lambda s: str({day})",
        f"lambda s: {day} < {day}.date()",
    )
    refuse(TIMES, Code.MIXED_TYPES, f"lambda s: {day} == {day}.date()")
    refuse(TIMES, Code.UNKNOWN_FUNCTION, "lambda s: datetime.datetime.now()")
