"""The checkpoint folder is that of `getOrCreate`, which sets it behind the function."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{head}
def create({parameters}):
    {first}
    ssc = StreamingContext(SparkContext(), 1)
    {checkpoint}
    ssc.socketTextStream("localhost", 9999).pprint()
    return ssc

ssc = StreamingContext.getOrCreate({folder}, {setup})
ssc.start()
ssc.awaitTermination()
"""


def rewritten(**parts: str) -> Rewritten | Reason | None:
    given = {"head": "", "parameters": "", "first": "pass", "checkpoint": "pass", "setup": "create"}
    return rewrite(JOB.format(**(given | parts)))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"folder": "'a'"}, '"a/job"'),
        ({"folder": "'a'", "checkpoint": "ssc.checkpoint('a')"}, '"a/job"'),
        # it wins
        ({"folder": "'a'", "checkpoint": "ssc.checkpoint('b')"}, '"a/job"'),
        ({"head": "f = open('x').read()", "folder": "f"}, 'f + "/job"'),
        (
            {
                "head": "f = open('x').read()",
                "parameters": "there",
                "checkpoint": "ssc.checkpoint(there)",
                "folder": "f",
                "setup": "lambda: create(f)",
            },
            'there + "/job"',
        ),
        # another name of the function
        (
            {
                "parameters": "there",
                "checkpoint": "ssc.checkpoint(there)",
                "folder": "'a'",
                "setup": "lambda: create('b')",
            },
            '"a/job"',
        ),
        (
            {
                "head": "f = 'a'",
                "first": "f = 'b'",
                "checkpoint": "ssc.checkpoint(f)",
                "folder": "'a'",
            },
            '"a/job"',
        ),
    ],
)
def test_the_folder(parts: dict[str, str], expected: str) -> None:
    made = rewritten(**parts)
    assert isinstance(made, Rewritten), made
    assert f'.option("checkpointLocation", {expected})' in made.text


def test_a_folder_that_the_function_does_not_know() -> None:
    made = rewritten(
        head="f = open('x').read()", first="f = 'b'", checkpoint="ssc.checkpoint(f)", folder="f"
    )
    assert isinstance(made, Reason)
    assert made.code == "CHECKPOINT"
