"""Windows keep the slices that they need, and notes say what differs."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import operator
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{top}
sc = SparkContext(appName="Windows")
ssc = StreamingContext(sc, {interval})
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
{body}
ssc.start()
ssc.awaitTermination()
"""
ADD = "lambda a, b: a + b"


def rewritten(body: str, interval: object = 5, top: str = "") -> str:
    found = rewrite(JOB.format(body=body, interval=interval, top=top))
    assert isinstance(found, Rewritten), found
    return found.text


def refused(body: str, interval: object = 5, top: str = "") -> str:
    found = rewrite(JOB.format(body=body, interval=interval, top=top))
    assert found is not None and not isinstance(found, Rewritten)
    return f"{found.code}: {found.text}"


def test_an_inverse_keeps_keys_in_windows_of_five_slides() -> None:
    call = f"pairs.reduceByKeyAndWindow({ADD}, lambda a, b: a - b, {{}}, 10).pprint()"
    assert ", 50, 10, keep_empty=True)" in rewritten(call.format(50))
    assert ", 40, 10)" in rewritten(call.format(40))


def test_variables_say_whether_keys_stay() -> None:
    body = f"pairs.reduceByKeyAndWindow({ADD}, lambda a, b: a - b, length, slide).pprint()"
    text = rewritten(body, top="length, slide = int(sys.argv[1]), int(sys.argv[2])")
    assert "length, slide, keep_empty=length >= 5 * slide)" in text
    assert 'processingTime=f"{math.gcd(length, slide)} seconds"' in text


def test_without_a_slide_the_interval_is_the_slide() -> None:
    body = f"pairs.reduceByKeyAndWindow({ADD}, None, 60).pprint()"
    assert ", 60, 5)" in rewritten(body)
    text = rewritten(body, interval="SECONDS", top="SECONDS = 5")
    assert ", 60, SECONDS)" in text
    assert 'processingTime=f"{SECONDS} seconds"' in text


def test_fractions_of_a_second_become_milliseconds() -> None:
    text = rewritten(f"pairs.reduceByKeyAndWindow({ADD}, None, 1.5, 0.5).pprint()", interval=0.5)
    assert "self.length = int(length * 1000)" in text
    assert 'processingTime="500 milliseconds"' in text


def test_windows_of_one_form_share_a_class() -> None:
    body = f"""pairs.reduceByKeyAndWindow({ADD}, None, 60, 10).pprint()
lines.countByWindow(20, 10).pprint()"""
    text = rewritten(body)
    assert text.count("(StatefulProcessor):") == 1
    assert text.count("writeStream") == 2


def test_a_class_has_a_name_that_the_job_does_not_use() -> None:
    text = rewritten("lines.countByWindow(20, 10).pprint()", top="WindowedCounts = sys.argv")
    assert "class WindowedCounts2(StatefulProcessor):" in text


def test_constants_are_not_kept_in_the_window_of_records() -> None:
    text = rewritten("pairs.window(20, 10).reduceByKey(lambda a, b: a + b).pprint()")
    assert 'Row("key"), 20, 10)' in text


@pytest.mark.parametrize(
    "body",
    [
        "length = float(sys.argv[1])\nlines.countByWindow(length, 10).pprint()",
        "length = int(sys.argv[1])\nlines.window(length, 10).count().pprint()",
        "length = int(sys.argv[1])\nlines.window(length, 10).saveAsTextFiles('out')",
        "lines.window(30, 20).count().pprint()",
    ],
)
def test_what_would_also_be_given_between_slides_is_refused(body: str) -> None:
    assert refused(body).startswith("DURATION: ")


def test_notes_say_what_differs() -> None:
    found = rewrite(JOB.format(body="lines.countByWindow(20, 10).pprint()", interval=5, top=""))
    assert isinstance(found, Rewritten)
    assert any("event time" in each for each in found.differences)
