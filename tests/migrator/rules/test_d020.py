"""Variables that outlived their block."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("y = [x for x in a]\nuse(x)\n", ["1"]),
    ("try:\n    a()\nexcept E, e:\n    pass\nuse(e)\n", ["3"]),
    ("def f(a):\n    [x for x in a]\n    return x\n", ["2"]),
    ("def f(a):\n    y = [x for x in a]\n    def g(): return x\n    return g\n", ["2"]),
]
SILENT = [
    "y = [x for x in a]\nx = 1\nuse(x)\n",
    "y = [x for x in a]\nz = [x for x in y]\n",
    "y = (x for x in a)\nuse(x)\n",
    "try:\n    a()\nexcept E, e:\n    use(e)\n",
    "try:\n    a()\nexcept E, e:\n    pass\ntry:\n    a()\nexcept E, e:\n    use(e)\n",
    "def f(a):\n    return [x for x in a]\ndef g(x):\n    return x\n",
    "use(x)\ny = [x for x in a]\n",
    "y = [x for x in a]\nfor x in y: use(x)\n",
    "y = [x for x in a]\nz = map(lambda x: x, y)\n",
    "y = {x for x in a}\nuse(x)\n",
    "try:\n    a()\nexcept E:\n    pass\nuse(e)\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D020") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D020") == []
