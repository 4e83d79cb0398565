"""Comparisons between different types."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("x = a < None\n", ["1!"]),
    ("x = 'a' > 5\n", ["1!"]),
    ("x = raw_input() >= 5\n", ["1!"]),
    ("x = 1 < 2 < 'a'\n", ["1!"]),
    ("x = [] < ()\n", ["1!"]),
]
SILENT = [
    "x = a is None\n",
    "x = a == None\n",
    "x = a < b\n",
    "x = 1 < 2.0\n",
    "x = 'a' < 'b'\n",
    "x = 'a' == 5\n",
    "x = int(raw_input()) > 5\n",
    "x = a < 5\n",
    "x = u'a' < 'b'\n",
    "x = True < 2\n",
    "x = str(a) != 5\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D016") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D016") == []
