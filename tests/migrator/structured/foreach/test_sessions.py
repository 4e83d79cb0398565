"""What batches see of a session: views, queries and settings of it that other code has, too."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="J")
spark = SparkSession(sc)
ssc = StreamingContext(sc, 5)
lines = ssc.textFileStream("d")


def show(rdd):
    rdd.map(lambda line: (line, 1)).toDF(["line", "one"]).createOrReplaceTempView("lines")
{}

lines.foreachRDD(show)
{}
ssc.start()
{}
"""
OWN = '    spark.sql("select * from lines").show()\n'
NAMED = '    spark.sql("select * from lines join known using (line)").show()\n'
WAITS = "ssc.awaitTermination()\n"
KNOWN = 'spark.read.text("k").toDF("line").createOrReplaceTempView("known")\n'


@pytest.mark.parametrize(
    ("own", "before", "after"),
    [
        (OWN, "", WAITS),
        # the batch has what was there at the start
        (NAMED, KNOWN, WAITS),
        # another view, and another function that makes its own
        (OWN, "", 'spark.sql("select * from other_lines").show()\n'),
        (OWN, f"def other():\n    {KNOWN.replace('known', 'lines')}{OWN}", WAITS),
    ],
)
def test_views_that_only_the_batch_asks_for_stay(own: str, before: str, after: str) -> None:
    result = rewrite(JOB.format(own, before, after), unsafe=True)
    assert isinstance(result, Rewritten), result
    assert "sparkSession.sql(" in result.text


@pytest.mark.parametrize(
    ("own", "before", "after"),
    [
        ("", "", 'spark.sql("select * from lines").show()\n'),
        (OWN, "", 'spark.sql("select * from LINES").show()\n'),
        (OWN, "", 'spark.table("lines").show()\n'),
        (OWN, "", "query = input()\nspark.sql(query).show()\n"),
        (OWN, "def poll():\n    return spark.sql('select * from lines')\n", "poll()\n"),
        (NAMED, "", KNOWN),
        (NAMED, f"def renew():\n    {KNOWN}", "renew()\n"),
        (NAMED, "", 'spark.sql("create or replace temp view known as select 1")\n'),
        (
            '    spark.sql("create temporary view other as select * from lines")\n',
            "",
            'spark.sql("select * from other").show()\n',
        ),
    ],
)
def test_views_that_others_ask_for_or_make_are_refused(own: str, before: str, after: str) -> None:
    result = rewrite(JOB.format(own, before, after), unsafe=True)
    assert isinstance(result, Reason)
    assert result.code == "VIEW"


@pytest.mark.parametrize(
    "change",
    [
        'spark.conf.set("spark.sql.shuffle.partitions", "5")',
        'spark.udf.register("up", str.upper)',
        'spark.sql("use other")',
        'spark.catalog.setCurrentDatabase("other")',
    ],
)
def test_a_session_that_changes_while_the_job_runs(change: str) -> None:
    assert isinstance(rewrite(JOB.format(OWN, f"{change}\n", WAITS)), Rewritten)
    text = JOB.format(OWN, "", f"{change}\n{WAITS}")
    result = rewrite(text, unsafe=True)
    assert isinstance(result, Reason)
    assert result.code == "SESSION_SETTINGS"
    moved = rewrite(text, batch_code=True)
    assert isinstance(moved, Rewritten)
    assert "spark2.createDataFrame(" in moved.text
