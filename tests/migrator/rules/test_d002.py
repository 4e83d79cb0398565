"""Sources in another encoding."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES: list[str | bytes] = [
    b"# caf\xe9\nfrom pyspark.streaming import StreamingContext\n",
    b"# -*- coding: utf-8 -*-\n# \xff\nimport pyspark.streaming\n",
    b"# -*- coding: no-such-codec -*-\nimport pyspark.streaming\n",
    b"#!/usr/bin/env python\n# -*- coding: no-such-codec -*-\nimport pyspark.streaming\n",
    "import pyspark.streaming\n".encode("utf-16"),
    b"\xef\xbb\xbf# coding: latin-1\nimport pyspark.streaming\n",
]
SILENT: list[str | bytes] = [
    b"# caf\xe9 without streams\n",
    b"# -*- coding: cp1252 -*-\n# caf\xe9\nfrom pyspark.streaming import StreamingContext\n",
    "# café\nfrom pyspark.streaming import StreamingContext\n",
    b"\xef\xbb\xbf# coding: utf-8\nimport pyspark.streaming\n",
    "print('x')\n".encode("utf-16"),
    # Python looks at two lines only
    b"#!/usr/bin/env python\n# x\n# coding: no-such-codec\nimport pyspark.streaming\n",
]


def test_place_of_the_byte_is_named() -> None:
    from tests.support.migrator.reports import report

    found = report(b"import pyspark.streaming\nx = 'caf\xe9'\n")
    finding = found.findings[0]
    assert (finding.at.line, finding.at.column) == (2, 9)
    assert "byte 0xe9 at offset 33 (line 2) is not UTF-8" in finding.message
    assert "coding: windows-1252" in finding.advice
    assert found.status == "unreadable"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D002" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D002" not in [c.partition(":")[2] for c in codes(source)]
