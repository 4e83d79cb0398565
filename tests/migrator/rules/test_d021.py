"""Values that are raised."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("raise E, value\n", ["1"]),
    ("raise E, f()\n", ["1"]),
    ("raise 'a string'\n", ["1!"]),
    ("raise E, (a, b)[0]\n", ["1"]),
]
SILENT = [
    "raise E, 'text'\n",
    "raise E, '%s' % a\n",
    "raise E, str(a)\n",
    "raise E, 5\n",
    "raise E(value)\n",
    "raise E\n",
    "raise\n",
    "raise E, ('a', 'b')\n",
    "raise value\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D021") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D021") == []
