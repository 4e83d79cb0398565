"""Names of a job that the class of a state would hide."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{}

sc = SparkContext(appName="J")
ssc = StreamingContext(sc, 5)
ssc.checkpoint("c")
files = ssc.textFileStream("d")
{}
ssc.start()
ssc.awaitTermination()
"""
PAIRS = "files.map(lambda x: (x, 1)).updateStateByKey({}).pprint()"


def update(name: str = "run", new: str = "values", old: str = "last") -> str:
    # a loop, so that it stays a function
    return (
        f"def {name}({new}, {old}):\n    total = {old} or 0\n    for each in {new}:\n"
        f"        total = max(total, each) + 1\n    return total"
    )


@pytest.mark.parametrize(
    ("above", "function"),
    [
        (update("key"), "key"),
        (update("timerValues"), "timerValues"),
        (update("state"), "state"),
        ("", "lambda key, last: max(key + [last or 0])"),
        ("", "lambda self, last: max(self + [last or 0])"),
        ("def rows(x):\n    return x", "lambda v, last: rows(max(v + [last or 0]))"),
        (f"Row = 4\n{update()}", "run"),
        (f"class Row:\n    pass\n\n{update()}", "run"),
        (f"from rows import Row\n{update()}", "run"),
    ],
)
def test_a_name_that_the_class_hides_is_refused(above: str, function: str) -> None:
    found = rewrite(JOB.format(above, PAIRS.format(function)), True)
    assert isinstance(found, Reason), found
    assert found.code == "NAME"


@pytest.mark.parametrize(
    ("above", "function"),
    [
        (update(), "run"),
        (update(new="timerValues"), "run"),
        (update(new="self"), "run"),
        (update(new="key"), "run"),
        (update(old="updated"), "run"),
        (update(old="self"), "run"),
        (update(old="timerValues"), "run"),
        (f"from pyspark.sql import Row\n{update()}", "run"),
    ],
)
def test_other_names_are_given_a_free_one(above: str, function: str) -> None:
    found = rewrite(JOB.format(above, PAIRS.format(function)), True)
    assert isinstance(found, Rewritten), found
    compile(found.text, "job", "exec")
    method = found.text.partition("def updated(")[2].partition("):")[0].split(", ")
    assert len(set(method)) == len(method) == 4
    assert "self.updated = " not in found.text
    assert "self.self" not in found.text
    assert "self.timerValues" not in found.text


@pytest.mark.parametrize(("empty", "behind"), [(0, 2), (1, 1), (2, 2)])
def test_empty_lines_are_around_the_class(empty: int, behind: int) -> None:
    code = update() + "\n" * empty + "\n" + PAIRS.format("run")
    found = rewrite(JOB.format("", code), True)
    assert isinstance(found, Rewritten), found
    assert "return total\n\n\nclass Run(StatefulProcessor):" in found.text
    assert f"total=total){chr(10) * (behind + 1)}records = (" in found.text
