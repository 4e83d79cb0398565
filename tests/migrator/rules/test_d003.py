"""Files that were not analysed."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES: list[str | bytes] = [
    b"import pyspark.streaming\n\0\n",
    "import pyspark.streaming\nx = " + "-" * 2500 + "1\n",
    "import pyspark.streaming\nx = a" + ".b" * 1600 + "\n",
]
SILENT: list[str | bytes] = [
    b"binary \0 without streams",
    "import pyspark.streaming\nx = " + " + ".join(["1"] * 400) + "\n",
    "x = " + "-" * 2500 + "1\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D003" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D003" not in [c.partition(":")[2] for c in codes(source)]
