"""Functions that use a whole number of the program that is known only when the job runs."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main(argv{parameter}):
    {number}
    sc = SparkContext(appName="Numbers")
    ssc = StreamingContext(sc, 1)
    ssc.textFileStream(argv[1]).{use}.pprint()
    ssc.start()
    ssc.awaitTermination()


main(sys.argv)
"""
TEXT = 'map(lambda line: "%s at {%d}" % (line, number))'
LONG = "filter(lambda line: len(line) > number)"


def made(number: str, use: str, parameter: str = "", unsafe: bool = False) -> Rewritten | Reason:
    found = rewrite(JOB.format(number=number, use=use, parameter=parameter), unsafe)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "number", ["number = int(argv[2])", "number, other = (int(argv[2]), 1) if argv[3:] else (1, 2)"]
)
def test_a_text_has_the_number(number: str) -> None:
    found = made(number, TEXT)
    assert isinstance(found, Rewritten), found
    assert 'F.lit(f" at {{{number}}}")' in found.text


def test_a_number_itself_may_be_too_large() -> None:
    found = made("number = int(argv[2])", LONG)
    assert isinstance(found, Reason)
    assert (found.code, "`number` fails beyond 64 bits" in found.text) == ("INT_RANGE", True)
    found = made("number = int(argv[2])", LONG, unsafe=True)
    assert isinstance(found, Rewritten)
    assert 'F.length("value") > F.lit(number).cast("long")' in found.text.replace(
        'F.col("value")', '"value"'
    )


@pytest.mark.parametrize(
    ("number", "parameter"),
    [
        ("number = argv[2]", ""),
        ("number = float(argv[2])", ""),
        ("number = int(argv[2])\n    number = number + 1", ""),
        ("for each in argv:\n        number = int(each)", ""),
        ("global number\n    number = int(argv[2])", ""),
        ("int = len\n    number = int(argv[2])", ""),
        ("pass", ", number=3"),
    ],
)
def test_what_may_be_another_number_is_refused(number: str, parameter: str) -> None:
    found = made(number, TEXT, parameter)
    assert isinstance(found, Reason), found.text
    assert found.code == "UNKNOWN_NAME"
