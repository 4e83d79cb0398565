"""Other code keeps the contexts and sessions that it has, and no streams."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import library
from pyspark import SparkContext
from pyspark.sql import SparkSession, SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Job")
sqlContext = SQLContext(sc)
ssc = StreamingContext(sc, 1)
{body}
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
ssc.awaitTermination()
"""


def after(body: str) -> str:
    found = rewrite(JOB.format(body=body))
    assert isinstance(found, Rewritten), found
    return found.text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("sc.addPyFile('a.py')", "spark.sparkContext.addPyFile('a.py')"),
        ("known = sc.broadcast([1])", "known = spark.sparkContext.broadcast([1])"),
        ("library.start(sc)", "library.start(spark.sparkContext)"),
        ("library.start(context=ssc.sparkContext)", "library.start(context=spark.sparkContext)"),
        ("if library.on:\n    sc.addFile('a')", "    spark.sparkContext.addFile('a')"),
        ("print(sqlContext.sql('select 1').count())", "print(spark.sql('select 1').count())"),
        ("def end():\n    sc.stop()", "def end():\n    spark.stop()"),
        ("path = sc._jsc.hadoopConfiguration()", "spark.sparkContext._jsc.hadoopConfiguration()"),
    ],
)
def test_contexts_of_other_code(body: str, expected: str) -> None:
    assert expected in after(body)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("library.start(ssc)", "USE"),
        ("kept = library.start(ssc)", "FUNCTION"),
        ("kept = [ssc]", "USE"),
        ("print(ssc)\nlibrary.ssc = ssc", "TARGET"),
        ("sqlContext.registerDataFrameAsTable(library.frame, 'a')", "USE"),
        ("sc.stop()", "CONTEXTS"),
        ("n = ssc.socketTextStream(sc.appName, 1).pprint()", "USE"),
        ("def f(spark):\n    return sc.version", "NAME"),
    ],
)
def test_other_uses_are_refused(body: str, code: str) -> None:
    found = rewrite(JOB.format(body=body))
    assert isinstance(found, Reason), found
    assert found.code == code, found
