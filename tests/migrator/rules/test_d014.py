"""Lists that are views and iterators."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("x = foo.keys()\n", ["1"]),
    ("def f(d): return d.items()\n", ["1"]),
    ("use(d.values())\n", ["1"]),
    ("x = map(f, a, b)\n", ["1"]),
    ("x = map(None, a, b)\n", ["1!"]),
    ("x = filter(f, a)\n", ["1"]),
    ("x = filter(f, 'abc')\n", ["1!"]),
    ("class A:\n    def collectAsMap(self): return 1\nx = A().collectAsMap().keys()\n", ["3"]),
]
SILENT = [
    "for k in foo.keys(): pass\n",
    "x = sorted(foo.keys())\n",
    "x = foo.keys()[0]\n",
    "x = rdd.values().collect()\n",
    "x = pairs.keys().distinct()\n",
    "d = {}\nx = d.keys()\n",
    "x = rdd.collectAsMap().keys()\n",
    "def f(rdd):\n    d = rdd.collectAsMap()\n    use(d.items())\n",
    "x = rdd.countByKey().values()\n",
    "x = k in d.keys()\n",
    "x = d.keys(1)\n",
    "x = map(f, a)\n",
    "x = filter(f, line.split())\n",
    "x = filter(f, [1, 2])\n",
    "for k in filter(f, a): pass\n",
    "x = sum(filter(f, a))\n",
    "x = len(d.values())\n",
    "def filter(f, a): return a\nx = filter(1, 'a')\n",
    "class A:\n    def keys(self): return 1\nx = A().keys()\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D014") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D014") == []
