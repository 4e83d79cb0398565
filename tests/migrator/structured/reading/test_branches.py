"""Streams that an `if` chooses: one stream from there on, if each branch makes it."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{indent}sc = SparkContext(appName="Job")
{indent}ssc = StreamingContext(sc, 1)
{body}{indent}lines.map(lambda line: line + "!").pprint()
{indent}ssc.start()
"""
CHOICE = """if sys.argv[1] == "files":
    lines = ssc.textFileStream("in")
elif sys.argv[1] == "socket":
    lines = ssc.socketTextStream("h", 1)
else:
    {end}
"""


def result(body: str) -> Rewritten | Reason | None:
    return rewrite(JOB.format(body=body, indent=""))


@pytest.mark.parametrize(
    "end", ["raise ValueError(sys.argv[1])", "sys.exit(1)", "print('no')\n    exit()"]
)
def test_a_branch_that_ends_the_program(end: str) -> None:
    found = result(CHOICE.format(end=end))
    assert isinstance(found, Rewritten)
    assert f"else:\n    {end}\n" in found.text
    assert found.text.count("    lines = ") == 2


@pytest.mark.parametrize("end", ["print('no')", "lines = None", "lines = sys.argv"])
def test_a_branch_without_a_stream(end: str) -> None:
    found = result(CHOICE.format(end=end))
    assert isinstance(found, Reason) and found.code == "BRANCH"


def test_steps_of_one_branch() -> None:
    body = CHOICE.format(end="raise ValueError").replace(
        '    lines = ssc.socketTextStream("h", 1)',
        '    texts = ssc.socketTextStream("h", 1)\n    lines = texts.map(lambda t: t.upper())',
    )
    found = result(body)
    assert isinstance(found, Rewritten)
    assert "    texts = (" in found.text and "    lines = texts.select(" in found.text


def test_a_job_in_an_if_is_no_branch() -> None:
    body = '    lines = ssc.socketTextStream("h", 1)\n'
    text = JOB.format(body=body, indent="    ").replace("    sc =", "if len(sys.argv):\n    sc =")
    assert isinstance(rewrite(text), Rewritten)


def test_code_of_batches_has_no_branches() -> None:
    text = JOB.format(body=CHOICE.format(end="raise ValueError"), indent="")
    found = rewrite(text.replace('map(lambda line: line + "!")', "glom()"), batch_code=True)
    assert isinstance(found, Reason) and found.code == "BRANCH"


@pytest.mark.parametrize("batch_code", [False, True])
@pytest.mark.parametrize(
    ("body", "name"),
    [
        # a test of what may be None
        (
            """lines = ssc.textFileStream("in")
if len(sys.argv) > 1:
    words = lines.flatMap(lambda l: l.split())
else:
    words = None
if words is not None:
    words.pprint()
""",
            "words",
        ),
        # a use in a branch with which the job does not go on
        (
            """if len(sys.argv) > 1:
    lines = ssc.textFileStream("in")
else:
    other = ssc.textFileStream("other")
    kept = [other, 1]
    sys.exit(1)
""",
            "other",
        ),
    ],
)
def test_uses_of_a_stream_of_one_branch(body: str, name: str, batch_code: bool) -> None:
    found = rewrite(JOB.format(body=body, indent=""), batch_code=batch_code)
    assert isinstance(found, Reason) and found.code == "BRANCH"
    assert found.text.startswith(f"`{name}` is made in one branch")
