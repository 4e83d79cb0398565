"""Streams that nothing reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.map(f)\n",
    STREAM + "lines.filter(f).map(g)\n",
    STREAM + "ssc.socketTextStream('h', 1)\n",
    STREAM + "counts = lines.count()\n",
    STREAM + "def f(s):\n    t = s.map(len)\nf(lines)\n",
    STREAM + "for s in [lines]:\n    s.union(lines)\n",
]
SILENT = [
    STREAM + "lines.map(f).pprint()\n",
    STREAM + "lines.cache()\nlines.persist(x)\nlines.checkpoint(10)\n",
    STREAM + "counts = lines.count()\ncounts.pprint()\n",
    STREAM + "x = lines.pprint()\n",
    STREAM + "lines.foreachRDD(f)\n",
    STREAM + "counts = lines.count()\n__all__ = ['counts']\n",
    STREAM + "counts = lines.count()\nshow(**locals())\n",
    STREAM + "def f(s):\n    return s.map(len)\nf(lines)\n",
    STREAM + "def f(s):\n    s.pprint()\n    return s\nf(lines.map(len))\n",
    STREAM + "counts = lines.count()\ndef f():\n    counts.pprint()\n",
    STREAM + "lines.foreachRDD(lambda rdd: rdd.map(f))\n",
    STREAM + "[s.map(f) for s in [lines]]\n",
    STREAM + "a, b = lines.map(f), 1\n",
    STREAM + "class A:\n    def go(self):\n        self.s = lines.map(f)\n",
    "def f(s):\n    s.map(len)  # DStream\n",
    "def f(s):\n    s.countByWindow(1, 1)\n",
]


def test_names_that_other_modules_read(tmp_path: Path) -> None:
    files = {
        "a.py": STREAM + "one = lines.map(len)\ntwo = lines.map(len)\n",
        "b.py": "import a\na.one.pprint()\n",
    }
    found = [x.at.line for _, x in project(tmp_path, files).findings() if x.code == "D502"]
    assert found == [5]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D502" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D502" not in [c.partition(":")[2] for c in codes(source)]
