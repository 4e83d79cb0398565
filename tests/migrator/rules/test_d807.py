"""`toDF` of RDDs where no session is made."""

from __future__ import annotations

from pathlib import Path

from migrator.model.report import Category
from tests.support.migrator.fix_cases import FixCases
from tests.support.migrator.reports import CONTEXT, project, report

CODE = "D807"
CHANGED = [
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.streaming import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "x = sc.textFile('a').toDF()\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "from pyspark import SparkContext\n"
            "from dstream_compat import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "x = SparkSession.builder.getOrCreate().createDataFrame(sc.textFile('a'))\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.streaming import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "r = sc.textFile('a')\n"
            "x = r.toDF(['a']).collect()\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "from pyspark import SparkContext\n"
            "from dstream_compat import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "r = sc.textFile('a')\n"
            "x = SparkSession.builder.getOrCreate().createDataFrame(r, ['a']).collect()\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.streaming import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "x = sc.textFile('a').map(f).toDF(schema=s, sampleRatio=0.1)\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "from pyspark import SparkContext\n"
            "from dstream_compat import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "x = SparkSession.builder.getOrCreate()"
            ".createDataFrame(sc.textFile('a').map(f), schema=s, sampleRatio=0.1)\n"
        ),
    ),
    (
        (
            "from pyspark import SparkContext\n"
            "from pyspark.streaming import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "S(sc, 1).socketTextStream('a', 1).foreachRDD(lambda r: r.toDF().show())\n"
        ),
        (
            "from pyspark.sql import SparkSession\n"
            "from pyspark import SparkContext\n"
            "from dstream_compat import StreamingContext as S\n"
            "sc = SparkContext()\n"
            "S(sc, 1).socketTextStream('a', 1).foreachRDD("
            "lambda r: SparkSession.builder.getOrCreate().createDataFrame(r).show())\n"
        ),
    ),
]
REPORTED: list[str] = [
    "from pyspark import SparkContext\nr = SparkContext().textFile('a')\nx = r.toDF(*a)\n",
    (
        "from pyspark import SparkContext\n"
        "r = SparkContext().textFile('a')\n"
        "x = (r\n"
        "  # rows\n"
        "  .toDF())\n"
    ),
]
SILENT: list[str] = [
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "from pyspark.sql import SparkSession\n"
        "SparkSession(sc)\n"
        "sc.textFile('a').toDF()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "from pyspark.sql import SQLContext\n"
        "SQLContext(sc)\n"
        "sc.textFile('a').toDF()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "from pyspark.sql import HiveContext\n"
        "HiveContext(sc)\n"
        "sc.textFile('a').toDF()\n"
    ),
    "sc.textFile('a').toDF()\n",
    (
        "from pyspark.streaming import StreamingContext\n"
        "S = StreamingContext(sc, 1)\n"
        "S.sparkContext.textFile('a').toDF()\n"
    ),
    "spark.sparkContext.textFile('a').toDF()\n",
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "x.toDF()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "def f(r):\n"
        "    return r.toDF()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "f = sc.textFile('a').toDF\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "sc.textFile('a').collect()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "sqlContext.sql('x')\n"
        "sc.textFile('a').toDF()\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "x = 'toDF'\n"
    ),
    (
        "from pyspark import SparkContext\n"
        "from pyspark.streaming import StreamingContext as S\n"
        "sc = SparkContext()\n"
        "# sc.textFile('a').toDF()\n"
    ),
    "class A:\n    def toDF(self):\n        pass\n\nA().toDF()\n",
]


class TestCases(FixCases):
    """Those above."""


def test_a_session_of_another_module(tmp_path: Path) -> None:
    """It is silent if a module that the job imports makes one."""
    job = "import helper\n" + CONTEXT + "x = ssc.sparkContext.textFile('a').toDF()\n"
    made = project(tmp_path, {"job.py": job, "helper.py": "from pyspark.sql import SparkSession\n"})
    assert [f for _, f in made.findings() if f.code == CODE] == []
    other = project(tmp_path / "other", {"job.py": job, "helper.py": "x = 1\n"})
    assert len([f for _, f in other.findings() if f.code == CODE]) == 1


def test_it_is_a_bug_of_the_job() -> None:
    (one,) = [f for f in report(CHANGED[0][0]).findings if f.code == CODE]
    assert one.category is Category.BUG
