"""A function whose name means its result from there on is put in the place of its call."""

from __future__ import annotations

import pytest

from tests.migrator.structured.unfold.support import unfolded

HEAD = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
lines = ssc.socketTextStream("localhost", 9999)
"""
FUNCTION = "def words(lines):\n    return lines.map(str)\n\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (FUNCTION + "words = words(lines)\nwords.pprint()\n", "words = lines.map(str)\n"),
        # behind a `return` nothing runs
        (
            "def words(lines):\n    return lines.map(str)\n    pass\n\n"
            "words = words(lines)\nwords.pprint()\n",
            "words = lines.map(str)\n",
        ),
        # functions see the stream
        (
            FUNCTION + "words = words(lines)\ndef show():\n    words.pprint()\nshow()\n",
            "words = lines.map(str)\n",
        ),
    ],
)
def test_the_name_of_a_result(body: str, expected: str) -> None:
    text, _ = unfolded(HEAD, body)
    assert expected in text
    assert "def words" not in text


@pytest.mark.parametrize(
    "body",
    [
        # it is called before, too
        FUNCTION + "words(lines).pprint()\nwords = words(lines)\nwords.pprint()\n",
        # it makes no stream
        "def size(text):\n    return len(text)\n\nsize = size('a')\nlines.pprint(size)\n",
        # it has a name of its own in a class
        "class Job:\n    def words(self):\n        return 1\n\nwords = Job().words()\n",
    ],
)
def test_other_names_stay(body: str) -> None:
    assert unfolded(HEAD, body)[0] == body


def test_what_yields_behind_its_end_is_a_generator() -> None:
    body = "def words(lines):\n    return lines.map(str)\n    yield\n\nwords = words(lines)\n"
    assert "yield" in unfolded(HEAD, body)[0]


def test_functions_in_a_function_that_is_called_twice() -> None:
    body = """def send(stream, name):
    def show(rdd):
        print(name, rdd.take(2))

    stream.foreachRDD(show)


def both(lines):
    send(lines, "lines")
    send(lines.map(len), "lengths")


both(lines)
"""
    text, _ = unfolded(HEAD, body)
    assert text.count("def show(rdd):") == 1
    assert text.count("def show_2(rdd):") == 1
    assert "lines.foreachRDD(show)\n" in text
    assert ".foreachRDD(show_2)\n" in text
