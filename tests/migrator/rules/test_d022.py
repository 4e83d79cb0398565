"""Types that are one type."""

from __future__ import annotations

import pytest

from tests.support.migrator.python2 import told

TOLD: list[tuple[str, list[str]]] = [
    ("x = isinstance(a, unicode)\n", ["1"]),
    ("x = isinstance(a, long)\n", ["1"]),
    ("x = type(a) == unicode\n", ["1"]),
    ("x = unicode(a, 'utf-8')\n", ["1"]),
    ("import types\nx = type(a) is types.UnicodeType\n", ["2"]),
    ("import types as t\nx = isinstance(a, t.LongType)\n", ["2"]),
]
SILENT = [
    "x = isinstance(a, basestring)\n",
    "x = isinstance(a, (str, unicode))\n",
    "x = isinstance(a, (int, long))\n",
    "x = unicode(a)\n",
    "x = long(a)\n",
    "x = isinstance(a, str)\n",
    "x = isinstance(a, int)\n",
    "import types\nx = types.FunctionType\n",
    # D114
    "import types\nx = type(a) is types.StringType\n",
    "import types\nx = types.UnicodeType\n",
    "unicode = str\nx = isinstance(a, unicode)\n",
    "x = map(unicode, a)\n",
    "x = a.unicode\n",
]


@pytest.mark.parametrize(("source", "lines"), TOLD)
def test_told(source: str, lines: list[str]) -> None:
    assert told(source, "D022") == lines


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert told(source, "D022") == []
