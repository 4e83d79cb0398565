"""The JVM."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D852"
FIRES = [
    "x = sc._jvm",
    "x = spark._jsparkSession",
    "x = df._jdf.toString()",
    "x = spark.sparkContext._jsc.sc()",
    "x = sc._gateway",
    "x = spark._jvm.java.lang.System",
]
SILENT = [
    "x = other._jvm",
    "class A:\n    _jvm = 1\nx = A()._jvm",
    "x = df.schema",
    "x = spark.version",
    "sc = other()\nx = sc._jvm",
    "x = '_jvm'",
    "_jvm = 1",
    "x = Row(_jdf=1)._jdf",
    "def _jsc():\n    pass",
    "# sc._jvm",
    "x = df.explain()",
    "x = spark.conf",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
