"""Programs for the tests of the rules that say what blocks Spark Connect."""

from __future__ import annotations

from tests.support.migrator.reports import report

SPARK = (
    "from pyspark import SparkContext\n"
    "from pyspark.sql import HiveContext, Row, SparkSession, SQLContext\n"
    "from pyspark.sql import SQLContext as Old\n"
    "spark = SparkSession.builder.getOrCreate()\n"
    "sc = spark.sparkContext\n"
    "df = spark.range(3)\n"
)


def asked(source: str, code: str) -> list[int]:
    """The lines of the findings of a rule that takes part only if it is asked for, after SPARK."""
    found = report(SPARK + source)
    assert code not in [finding.code for finding in found.findings]
    own = [finding for finding in found.asked if finding.code == code]
    return [finding.at.line - SPARK.count("\n") for finding in own]
