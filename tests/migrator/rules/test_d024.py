"""Prints that end with a comma."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("print a,\n", ["1"]),
    ("print >>f, a,\n", ["1"]),
    ("print 'a', b,\n", ["1"]),
]
SILENT = [
    "print a\n",
    "print\n",
    "print a, b\n",
    "print (a,)\n",
    "print 'a,'\n",
    "print >>f, a\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D024") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D024") == []
