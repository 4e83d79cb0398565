"""Imports."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming import StreamingContext, _x\n",
    "import pyspark.streaming as st\nst._x\n",
    "import pyspark.streaming\npyspark.streaming.x = 1\n",
    "from pyspark.streaming import DStream\ndstream_compat = 1\n",
]
SILENT = [
    "from pyspark.streaming import StreamingContext\n",
    "import pyspark.streaming as st\nst.StreamingContext\n",
    "import pyspark.sql.streaming\n",
    "from pyspark.sql.streaming import DataStreamReader\n",
    "from streaming import StreamingContext\n",
    "from .pyspark.streaming import StreamingContext\n",
    "from dstream_compat import StreamingContext\n",
    "# import pyspark.streaming\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D101" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D101" not in [c.partition(":")[2] for c in codes(source)]
