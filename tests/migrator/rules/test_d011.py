"""Mixed tabs and spaces."""

from __future__ import annotations

import ast

import pytest

from tests.support.migrator.python2 import HEAD, after
from tests.support.migrator.reports import report

MIXED = [
    ("if a:\n\tb\n        c\n", "if a:\n        b\n        c\n", [3]),
    ("if a:\n        b\n\tc\n", "if a:\n        b\n        c\n", [3]),
    (
        "def f():\n    if a:\n\treturn 1\n    return 2\n\n\nif b:\n\tc\n",
        "def f():\n    if a:\n        return 1\n    return 2\n\n\nif b:\n\tc\n",
        [3],
    ),
    (
        "if a:\n\tb('''\n\tc\n''', (1,\n\t2))\n\t# d\n        e\n",
        "if a:\n        b('''\n\tc\n''', (1,\n\t2))\n\t# d\n        e\n",
        [7],
    ),
    ("if a:\n \tb\n        c\n\td\n", "if a:\n        b\n        c\n        d\n", [3, 4]),
]
FINE = [
    "if a:\n\tb\n\tc\n",
    "if a:\n\tif b:\n\t\tc\n\td\n",
    "if a:\n    b\n    c\n",
    "if a:\n\tb\nif c:\n        d\n",
    "if a:\n    b = '''\n\tc\n        d'''\n",
    "if a:\n    b = (1,\n\t2)\n    c\n",
    "if a:\n\tb\n        # only a comment\n\tc\n",
    "if a:\n    b\n\n\t\n    c\n",
    "if a:\n    if b:\n    \tc\n    \td\n",
    "x = '\ta'\n",
]


@pytest.mark.parametrize(("source", "expected", "lines"), MIXED)
def test_mixed(source: str, expected: str, lines: list[int]) -> None:
    assert after(source) == expected
    found = report(HEAD + source)
    assert [f.at.line - 2 for f in found.findings if f.code == "D011" and f.is_fixed] == lines
    assert found.content is not None
    ast.parse(found.content)
    assert report(found.content).content is None


@pytest.mark.parametrize("source", FINE)
def test_left_alone(source: str) -> None:
    found = report(HEAD + source)
    assert after(source) == source
    assert "D011" not in [f.code for f in found.findings]


def test_a_file_whose_only_fault_are_tabs() -> None:
    source = "from pyspark.streaming import DStream\nif a:\n\tx = 4 / 3\n        y = b / 3\n"
    found = report(source)
    assert found.content == (
        b"from dstream_compat import DStream\nif a:\n        x = 4 // 3\n        y = b / 3\n"
    )
    assert [(f.at.line, f.code) for f in found.findings] == [
        *((1, "D101"), (3, "D010"), (4, "D011"), (4, "D012")),
    ]
