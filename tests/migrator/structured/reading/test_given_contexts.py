"""Contexts and sessions that a shell or a platform has under their usual names."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark.streaming import StreamingContext

{before}
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
ssc.awaitTermination()
{after}
"""


def test_the_session_is_that_of_the_shell() -> None:
    found = rewrite(JOB.format(before='sc.setLogLevel("WARN")', after="sc.stop()"))
    assert isinstance(found, Rewritten)
    assert 'sc.setLogLevel("WARN")\nspark = SparkSession.builder.getOrCreate()\n' in found.text
    assert "spark.readStream" in found.text
    assert "\nsc.stop()\n" in found.text
    assert any("keeps the SparkContext" in each for each in found.differences)


@pytest.mark.parametrize("before", ["known = sqlContext.tables()", "spark.sql('show tables')"])
def test_other_code_keeps_its_names(before: str) -> None:
    found = rewrite(JOB.format(before=before, after=""))
    assert isinstance(found, Rewritten)
    assert f"\n{before}\n" in found.text


@pytest.mark.parametrize("before", ["sc = connect()", "def sc():\n    pass", "import sc"])
def test_a_name_that_the_file_binds_is_none_of_a_shell(before: str) -> None:
    found = rewrite(JOB.format(before=before, after=""))
    assert isinstance(found, Reason)
    assert found.code == "CONTEXT"


def test_a_job_in_a_function_leaves_names_of_the_module_alone() -> None:
    text = """from pyspark.streaming import StreamingContext


def main():
    print(spark.version)
    ssc = StreamingContext(sc, 1)
    ssc.socketTextStream("localhost", 9999).pprint()
    ssc.start()
    ssc.awaitTermination()


main()
"""
    found = rewrite(text)
    assert isinstance(found, Rewritten)
    assert "spark2 = SparkSession.builder.getOrCreate()" in found.text
    assert "print(spark.version)" in found.text
