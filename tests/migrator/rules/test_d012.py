"""Divisions that may have rounded down."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("x = code / 100 == 4\n", ["1"]),
    ("def f(a, b): return a / b\n", ["1"]),
    ("x = a()\nx /= 2\n", ["2"]),
    ("n = 1\nn = g()\ny = n / 2\n", ["3"]),
    ("import operator\nx = operator.div(1, 2)\n", ["2!"]),
    ("x = (a +\n  b) / 2\n", ["1"]),
]
SILENT = [
    "x = 1.0 * a / b\n",
    "x = a / 2.0\n",
    "x = float(a) / b\n",
    "x = 6 / 2\n",
    "n = len(a)\ny = n / 2\n",
    "from __future__ import division\nx = a / b\n",
    "x = a // b\n",
    "import math\nx = math.sqrt(a) / b\n",
    "import time\nstart = time.time()\nx = (time.time() - start) / n\n",
    "x = '/'.join(a)\n",
    "x = 'a / b'\n",
    "x = a % b\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D012") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D012") == []
