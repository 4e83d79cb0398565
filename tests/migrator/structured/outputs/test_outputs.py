"""`pprint` and `saveAsTextFiles`: which records are shown, and under which names they are saved."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{top}
sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 5)
{body}
ssc.start()
ssc.awaitTermination()
"""
LINES = 'lines = ssc.socketTextStream("localhost", 9999)\n'
FILES = 'lines = ssc.textFileStream("in")\n'
ONE = '.option("numPartitions", 1)'


def result(body: str, top: str = "") -> Rewritten:
    found = rewrite(JOB.format(body=body, top=top))
    assert isinstance(found, Rewritten), found
    return found


@pytest.mark.parametrize(
    "body",
    [
        f"{LINES}lines.pprint()",
        f"{LINES}lines.filter(lambda line: line != 'a').map(len).pprint(5)",
        f"{LINES}lines.flatMap(lambda line: line.split(' ')).pprint()",
        f"{LINES}lines.union(lines.map(lambda line: line + 'b')).pprint()",
    ],
)
def test_lines_of_a_socket_are_shown_in_their_order(body: str) -> None:
    found = result(body)
    assert ONE in found.text
    assert found.differences == ()


@pytest.mark.parametrize(
    "body",
    [
        f"{LINES}lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).pprint()",
        f"{LINES}lines.countByValue().pprint()",
    ],
)
def test_a_shuffle_needs_no_order(body: str) -> None:
    found = result(body)
    assert ONE not in found.text
    assert found.differences == ()


@pytest.mark.parametrize(
    "body", [f"{FILES}lines.pprint()", f"{LINES}lines.repartition(2).map(len).pprint()"]
)
def test_other_records_than_before_are_named(body: str) -> None:
    (found,) = result(body).differences
    assert "more records than are printed" in found


@pytest.mark.parametrize("suffix", ["", ', "txt"', ', suffix="txt"'])
def test_a_folder_has_the_time_in_its_name(suffix: str) -> None:
    found = result(f'{LINES}lines.saveAsTextFiles("out"{suffix})')
    end = ".txt" if suffix else ""
    assert f'f"out-{{int(datetime.now().timestamp() * 1000)}}{end}"' in found.text
    assert "from datetime import datetime\n" in found.text
    assert any("the time at which they are written" in each for each in found.differences)


def test_the_module_of_a_job_has_the_time() -> None:
    found = result(f'{LINES}lines.saveAsTextFiles("out")', "import datetime\nprint(datetime.date)")
    assert "{int(datetime.datetime.now().timestamp() * 1000)}" in found.text
