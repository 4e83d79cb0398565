"""Methods that nothing calls."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("class A:\n    def __cmp__(self, o): return 0\n", ["2!"]),
    ("class A:\n    def __div__(self, o): return 0\n", ["2!"]),
    ("class A:\n    __metaclass__ = M\n", ["2!"]),
    ("class A:\n    def __eq__(self, o): return 0\n", ["1"]),
    ("class A:\n    def __unicode__(self): return u''\n", ["2!"]),
]
SILENT = [
    "class A:\n    def __nonzero__(self): return 0\n",
    "class A:\n    def __lt__(self, o): return 0\n",
    "class A:\n    def __eq__(self, o): return 0\n    def __hash__(self): return 0\n",
    "def __cmp__(a, b): return 0\n",
    "class A:\n    def __str__(self): return ''\n",
    "class A:\n    def __init__(self): pass\n",
    "__metaclass__ = type\n",
    "class A:\n    def __truediv__(self, o): return 0\n",
    "class A:\n    def __eq__(self, o): return 0\n    __hash__ = None\n",
    "class A:\n    def cmp(self, o): return 0\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D023") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D023") == []
