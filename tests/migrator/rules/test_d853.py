"""Global names that functions change."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D853"
FIRES = [
    "n = 0\ndef f(batch, i):\n    global n\n    n += 1\ndf.writeStream.foreachBatch(f)",
    "n = 0\ndef f(row):\n    global n\n    n = 1\ndf.rdd.foreach(f)",
    "n = 0\ndef f(row):\n    global n\n    n = 1\n    return row\ndf.rdd.map(f)",
    (
        "class A:\n"
        "    def f(self, batch, i):\n"
        "        global n\n"
        "        n = 1\n"
        "    def go(self):\n"
        "        df.writeStream.foreachBatch(self.f)"
    ),
]
SILENT = [
    "n = 0\ndef f(batch, i):\n    n = 1\ndf.writeStream.foreachBatch(f)",
    "n = 0\ndef f(batch, i):\n    print(n)\ndf.writeStream.foreachBatch(f)",
    "n = 0\ndef f(batch, i):\n    global n\n    print(n)\ndf.writeStream.foreachBatch(f)",
    "n = 0\ndef f():\n    global n\n    n = 1\nf()",
    "n = 0\ndef f(x):\n    global n\n    n = 1\nlist(map(f, [1]))",
    "n = 0\ndef f(x):\n    global n\n    n = 1\nother.foreach(f)",
    (
        "def f(batch, i):\n"
        "    n = 0\n"
        "    def g():\n"
        "        nonlocal n\n"
        "        n = 1\n"
        "    g()\n"
        "df.writeStream.foreachBatch(f)"
    ),
    "df.writeStream.foreachBatch(lambda batch, i: batch.show())",
    (
        "import signal\n"
        "stop = False\n"
        "def f(a, b):\n"
        "    global stop\n"
        "    stop = True\n"
        "signal.signal(15, f)"
    ),
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
