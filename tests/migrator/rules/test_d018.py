"""Code in texts."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("exec code\n", ["1"]),
    ("exec code in d\n", ["1"]),
    ("execfile('a')\n", ["1!"]),
    ("x = eval(a)\n", ["1"]),
    ("x = input()\n", ["1"]),
]
SILENT = [
    "x = raw_input()\n",
    "x = 'exec code'\n",
    "import re\nx = re.compile(a)\n",
    "def eval(a): return a\nx = eval(1)\n",
    "x = a.eval()\n",
    "x = model.compile(1)\n",
    "execute(a)\n",
    "x = evaluate(a)\n",
    "x = compiled\n",
    "executor.exec_(1)\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D018") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D018") == []
