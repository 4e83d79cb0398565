"""Old contexts."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D855"
FIRES = [
    "x = SQLContext(sc)",
    "x = HiveContext(sc)",
    "x = Old(sc)",
    "import pyspark.sql\nx = pyspark.sql.SQLContext(sc)",
    "x = SQLContext.getOrCreate(sc)",
]
SILENT = [
    "x = SparkSession.builder.getOrCreate()",
    "class SQLContext:\n    pass\nx = SQLContext()",
    "from other import HiveContext\nx = HiveContext(sc)",
    "x = spark.sql('a')",
    "x = 'SQLContext(sc)'",
    "def Old(sc):\n    pass\nx = Old(sc)",
    "x = isinstance(spark, SQLContext)",
    "x = spark.newSession()",
    "# SQLContext(sc)",
    "x = other.SQLContext(sc)",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
