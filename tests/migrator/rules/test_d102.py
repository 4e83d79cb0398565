"""Modules named in strings."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    'import importlib\nimportlib.import_module("pyspark.streaming.kafka")\n',
    '__import__("pyspark.streaming")\n',
    'mock.patch("pyspark.streaming.StreamingContext")\n',
    'import sys\n"pyspark.streaming" in sys.modules\n',
    'import sys\nsys.modules["pyspark.streaming"]\n',
    'import pyspark\ngetattr(pyspark, "streaming")\n',
]
SILENT = [
    '"""pyspark.streaming"""\n',
    'x = "uses pyspark.streaming for this"\n',
    'import logging\nlogging.getLogger("pyspark.streaming")\n',
    'x = "pyspark.sql.streaming"\n',
    'getattr(thing, "streaming")\n# StreamingContext\n',
    "import pyspark.streaming\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D102" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D102" not in [c.partition(":")[2] for c in codes(source)]
