"""Sessions kept in globals()."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
SESSION = STREAM + "from pyspark.sql import SparkSession, SQLContext\n"
FIRES = [
    SESSION + "globals()['spark'] = SparkSession.builder.getOrCreate()\n",
    SESSION + "globals()['s'] = SQLContext(sc)\n",
    SESSION + "def get(conf):\n    if 's' not in globals():\n        globals()['s'] = (\n"
    "            SparkSession.builder.getOrCreate())\n    return globals()['s']\n",
]
SILENT = [
    SESSION + "globals()['x'] = 1\n",
    SESSION + "x['spark'] = SparkSession.builder.getOrCreate()\n",
    SESSION + "spark = SparkSession.builder.getOrCreate()\n",
    SESSION + "globals()['f'] = SQLContext\n",
    SESSION + "globals().update(s=SparkSession.builder.getOrCreate())\n",
    SESSION + "print(globals()['spark'])\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D801" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D801" not in [c.partition(":")[2] for c in codes(source)]
