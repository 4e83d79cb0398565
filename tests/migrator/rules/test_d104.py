"""Star imports."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming.util import *\n",
    "from pyspark.streaming import *\nState = 1\n",
    "from pyspark.streaming import *\nclass StateSpec: pass\n",
    "from pyspark.streaming import *\nx = State()\n",
    "from pyspark.streaming import *\ndef install(): pass\n",
    "from pyspark.streaming.mqtt import *\nutf8_decoder = None\n",
]
SILENT = [
    "from pyspark.streaming import *\nStreamingContext(sc, 1)\n",
    "from pyspark.streaming.kafka import *\nState = 1\n",
    "from pyspark.streaming.context import *\n",
    "from pyspark.streaming.context import *\ndef install(): pass\n",
    "from pyspark import *\n# StreamingContext\n",
    "from dstream_compat import *\nState\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D104" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D104" not in [c.partition(":")[2] for c in codes(source)]
