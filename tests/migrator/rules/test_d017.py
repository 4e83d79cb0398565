"""Numbers that are rounded."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("x = round(a)\n", ["1"]),
    ("x = round(a, 2)\n", ["1"]),
    ("x = int(round(1.5))\n", ["1"]),
]
SILENT = [
    "x = round(1)\n",
    "from pyspark.sql.functions import round\nx = round(a)\n",
    "x = a.round(2)\n",
    "x = F.round(a)\n",
    "x = round\n",
    "x = round(len(a))\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D017") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D017") == []
