"""Streams that an `if` on a setting makes of others: the `if` moves into the code of batches."""

from __future__ import annotations

import textwrap

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

mode = sys.argv[1]
sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("h", 1)
words = lines.flatMap(lambda line: line.split())
{body}
words.transform(lambda rdd: rdd.zipWithIndex()).pprint()
ssc.start()
"""


def result(body: str) -> Rewritten | Reason | None:
    return rewrite(JOB.format(body=textwrap.dedent(body).strip()), batch_code=True)


def written(body: str) -> tuple[str, str]:
    """The function of batches, behind its first lines, and what stands behind it."""
    found = result(body)
    assert isinstance(found, Rewritten), found
    _, _, rest = found.text.partition("flatMap(lambda line: line.split())\n")
    inside, _, behind = rest.partition("    records = ")
    return inside, behind


def test_one_branch() -> None:
    inside, behind = written("if mode == 'upper':\n    words = words.map(str.upper)")
    assert inside == "    if mode == 'upper':\n        words = words.map(str.upper)\n"
    assert "if mode" not in behind


def test_both_branches_with_other_code() -> None:
    inside, behind = written(
        """
        if mode:
            # loud
            words = words.map(str.upper)
            print("loud")
        else:
            words = words.map(str.lower)
        """
    )
    assert inside == (
        "    # loud\n    if mode:\n        words = words.map(str.upper)\n"
        "    else:\n        words = words.map(str.lower)\n"
    )
    assert 'if mode:\n    print("loud")\nquery' in behind


def test_only_the_other_branch_has_other_code() -> None:
    inside, behind = written(
        "if not mode:\n    words = words.map(str.upper)\nelse:\n    print('quiet')"
    )
    assert inside == "    if not mode:\n        words = words.map(str.upper)\n"
    assert "if not mode:\n    pass\nelse:\n    print('quiet')\n" in behind


def test_branches_in_branches() -> None:
    inside, behind = written(
        """
        if mode:
            words = words.map(str.upper)
            if mode == "first":
                words = words.map(lambda word: word[:1])
        """
    )
    assert inside == (
        "    if mode:\n        words = words.map(str.upper)\n"
        '    if mode:\n        if mode == "first":\n'
        "            words = words.map(lambda word: word[:1])\n"
    )
    assert "if mode" not in behind


def test_comments_stay() -> None:
    _, behind = written(
        """
        # above
        if mode:  # beside the test
            words = words.map(str.upper)
        else:  # beside the other branch
            words = words.map(str.lower)
        """
    )
    for each in ("# above", "# beside the test", "# beside the other branch"):
        assert behind.count(each) == 1


def test_windows_of_a_stream_and_of_a_branch() -> None:
    inside, _ = written(
        """
        two = lines.window(2)
        if mode:
            words = lines.window(4)
        two.foreachRDD(lambda rdd: rdd.foreach(str))
        """
    )
    # what a branch saves is not there without it
    assert [line.strip() for line in inside.splitlines() if "save_batch" in line] == [
        'save_batch(lines, f"{states}/two", batch_id, 2)',
        'save_batch(lines, f"{states}/words", batch_id, 4)',
    ]


def test_several_steps_of_a_branch() -> None:
    inside, _ = written(
        """
        if mode:
            pairs = words.map(lambda word: (word, 1))
            words = pairs.reduceByKey(max).map(lambda pair: pair[0])
        """
    )
    assert inside == (
        "    if mode:\n        pairs = words.map(lambda word: (word, 1))\n"
        "        words = pairs.reduceByKey(max).map(lambda pair: pair[0])\n"
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        # another source in a branch
        ("if mode:\n    words = ssc.textFileStream('in')", "BRANCH"),
        # what a test gives may be another value later
        ("if open(mode).read():\n    words = words.map(str.upper)", "LATE"),
        ("mode = 'x'\nif mode:\n    words = words.map(str.upper)", "LATE"),
        # no stream in a branch
        ("if mode:\n    words = words.map(str.upper)\nelse:\n    words = None", "BRANCH"),
        # an RDD that has partitions without input in one branch only
        ("if mode:\n    words = words.repartition(2)\nwords.count().pprint()", "BRANCH"),
        # windows of different slides
        ("if mode:\n    words = words.window(4, 2)", "DURATION"),
    ],
)
def test_stays(body: str, code: str) -> None:
    found = result(body)
    assert isinstance(found, Reason), found
    assert found.code == code
