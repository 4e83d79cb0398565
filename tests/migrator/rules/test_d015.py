"""Functions that compare for sorting."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("x = sorted(a, cmp=f, key=g)\n", ["1!"]),
    ("a.sort(cmp=f, key=g)\n", ["1!"]),
    ("x = cmp(f(), 1)\n", ["1!"]),
    ("x = sorted(a, f)\n", ["1"]),
    ("use(cmp)\n", ["1!"]),
]
SILENT = [
    "x = sorted(a, cmp=f)\n",
    "x = sorted(a, key=f)\n",
    "a.sort()\n",
    "a.sort(lambda x, y: x - y)\n",
    "x = cmp(a, b)\n",
    "def f(a, b): return 1\nx = sorted(a, f)\n",
    "df.sort('a')\n",
    "df.sort(column)\n",
    "def cmp(a, b): return 1\nx = cmp(f(), 2)\n",
    "x = df.sort(c, ascending=False)\n",
    "x = filecmp.cmp(a, b)\n",
    "x = run(cmp=1)\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D015") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D015") == []
