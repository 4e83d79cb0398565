"""The time of a batch in printed lines is another one in a query, and is not compared."""

from __future__ import annotations

from datetime import datetime

import pytest

from dstream_compat.testing.results import Output, Results
from migrator.verify.comparison import Rules, compare
from migrator.verify.obstacles import limits
from tests.support.migrator.outcomes import outcome

BEGIN = 1_729_728_000_000
LINES = "lines printed by foreachRDD at job.py:9"


def printed(engine: str, *batches: list[str]) -> Results:
    found = outcome(
        *([each] for each in batches), engine=engine, outputs=[Output(LINES, "printed")]
    )
    found.header |= {"begin": BEGIN, "interval": 2}
    return found


def time(batch: int) -> str:
    return str(datetime.fromtimestamp(BEGIN / 1000 + 2 * batch))


def differences(
    old: list[list[str]], new: list[list[str]], engine: str = "structured"
) -> list[int]:
    found = compare(printed("dstreams", *old), printed(engine, *new), Rules(), len(old))
    return [each.batch for each in found.differences]


OLD = [[f"--- {time(1)} ---", "a 2020-02-02 10:00:00"], [f"at {time(2)}: 3"]]
NEW = [["--- 2031-05-05 11:12:13 ---", "a 2020-02-02 10:00:00"], ["at 2031-05-05 11:12:15: 3"]]


def test_the_time_of_a_batch() -> None:
    assert differences(OLD, NEW) == []
    old, new = printed("dstreams", *OLD), printed("structured", *NEW)
    notes = "\n".join(limits(old, new, compare(old, new, Rules(), 2), order=False))
    assert f"the time of the batch in {LINES} was not compared" in notes


@pytest.mark.parametrize(
    "new",
    [
        # a time in the data, in another form, what is beside it, and a line that is missing
        ["--- 2031-05-05 11:12:13 ---", "a 2020-02-02 10:00:01"],
        ["--- 05.05.2031 ---", "a 2020-02-02 10:00:00"],
        ["+++ 2031-05-05 11:12:13 ---", "a 2020-02-02 10:00:00"],
        ["a 2020-02-02 10:00:00"],
    ],
)
def test_what_differs_beside_it(new: list[str]) -> None:
    assert differences(OLD, [new, NEW[1]]) == [1]


@pytest.mark.parametrize("new", [time(1), f"{time(1)}.250000", "2031-05-05 11:12:13.000001"])
def test_a_query_prints_any_time(new: str) -> None:
    assert differences(OLD, [[f"--- {new} ---", OLD[0][1]], NEW[1]]) == []


def test_a_time_with_a_fraction_is_another_one() -> None:
    data = f"a {time(1)}.5"
    old = [[OLD[0][0], data], OLD[1]]
    assert differences(old, [[NEW[0][0], data], NEW[1]]) == []
    assert differences(old, [[NEW[0][0], f"a {time(1)}.6"], NEW[1]]) == [1]


def test_lines_without_the_time_are_compared_as_they_are() -> None:
    assert differences([["from 2020-02-02 10:00:00"]], [["from 2020-02-02 10:00:01"]]) == [1]


def test_other_engines_have_the_same_time() -> None:
    assert differences(OLD, NEW, "compat") == [1, 2]
