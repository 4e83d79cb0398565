"""Functions that would see what others have changed in the same batch need consent."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

top, blacklist, totals = [], set(), {{}}


def learn(rdd):
    global top
    top = rdd.take(5)


def block(rdd):
    blacklist.update(rdd.collect())


def refresh(rdd):
    block(rdd)


def allowed(rdd):
    return rdd.filter(lambda line: line not in blacklist)


def remember(rdd):
    totals["last"] = rdd.count()
    return rdd


def show(rdd):
    print(totals, rdd.count())


def listed(lines):
    return list(lines)


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, 2)
counter = sc.accumulator(0)
lines = ssc.textFileStream("in")
{code}
ssc.start()
ssc.awaitTermination()
"""


def found_in(code: str, unsafe: bool = False) -> Rewritten | Reason | None:
    return rewrite(JOB.format(code=code), unsafe, batch_code=True)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("lines.foreachRDD(learn)\nlines.filter(lambda line: line not in top).pprint()", "top"),
        ("lines.foreachRDD(block)\nlines.transform(allowed).pprint()", "blacklist"),
        ("lines.foreachRDD(refresh)\nlines.transform(allowed).pprint()", "blacklist"),
        ("lines.foreachRDD(show)\nlines.transform(remember).pprint()", "totals"),
    ],
)
def test_what_a_function_sees_of_the_same_batch(code: str, name: str) -> None:
    found = found_in(code)
    assert isinstance(found, Reason)
    assert (found.code, found.text.partition(" ")[0]) == ("CHANGES", f"`{name}`")
    found = found_in(code, unsafe=True)
    assert isinstance(found, Rewritten)
    assert any(f"`{name}` is changed by a function of" in each for each in found.differences)


@pytest.mark.parametrize(
    "code",
    [
        # nothing runs behind it
        "lines.filter(lambda line: line not in top).pprint()\nlines.foreachRDD(learn)",
        "lines.transform(allowed).foreachRDD(refresh)",
        "lines.transform(remember).pprint()\nlines.foreachRDD(show)",
        # nobody reads what is changed
        "lines.foreachRDD(learn)\nlines.transform(allowed).pprint()",
        "lines.foreachRDD(learn)\nlines.foreachRDD(show)",
        # what adds to an accumulator reads nothing
        "lines.foreachRDD(lambda rdd: counter.add(rdd.count()))\n"
        "lines.mapPartitions(lambda lines: [counter.add(1)]).pprint()",
        # a name of its own
        "lines.foreachRDD(learn)\nlines.map(lambda top: top).pprint()",
    ],
)
def test_what_needs_no_consent(code: str) -> None:
    assert isinstance(found_in(code), Rewritten)


@pytest.mark.parametrize(
    "body",
    [
        "if not rdd.isEmpty():\n        return rdd.map(len)",
        "return",
        "if rdd.isEmpty():\n        return None\n    return rdd",
        "try:\n        return rdd.map(len)\n    except ValueError:\n        print(rdd)",
        "rdd.map(len)",
    ],
)
def test_a_transform_that_may_return_nothing(body: str) -> None:
    code = JOB.format(code="words = lines.transform(clean)\nwords.pprint(1)")
    found = rewrite(f"def clean(rdd):\n    {body}\n\n{code}", batch_code=True)
    assert isinstance(found, Rewritten)
    assert "    if words is not None:\n        for record in words.take(2)[:1]:\n" in found.text


@pytest.mark.parametrize(
    "code", ["window(3)", "union(lines)", "cache()", "updateStateByKey(len)", "join(lines)"]
)
def test_what_has_no_form_behind_such_a_transform(code: str) -> None:
    code = JOB.format(code=f"lines.transform(clean).{code}.pprint()")
    found = rewrite(f"def clean(rdd):\n    return\n\n{code}", batch_code=True)
    assert isinstance(found, Reason)
    assert "may return nothing" in found.text


@pytest.mark.parametrize(
    "body", ["if rdd.isEmpty():\n        return []\n    return rdd", "return rdd if ok else 0"]
)
def test_a_transform_that_returns_no_rdd_stays(body: str) -> None:
    code = JOB.format(code="lines.transform(clean).pprint()")
    found = rewrite(f"def clean(rdd):\n    {body}\n\n{code}", batch_code=True)
    assert isinstance(found, Reason)
    assert "no RDD" in found.text


@pytest.mark.parametrize(
    "body",
    [
        "return rdd.map(len)",
        "if rdd.isEmpty():\n        return rdd\n    return rdd.map(len)",
        "if rdd.isEmpty():\n        return rdd\n    else:\n        return rdd.map(len)",
        "try:\n        return rdd.map(len)\n    except ValueError:\n        return rdd",
        "def inner():\n        return\n    return rdd.map(len)",
        "raise ValueError",
    ],
)
def test_a_transform_that_returns_an_rdd(body: str) -> None:
    code = JOB.format(code="lines.transform(clean).pprint()")
    assert isinstance(rewrite(f"def clean(rdd):\n    {body}\n\n{code}", batch_code=True), Rewritten)
