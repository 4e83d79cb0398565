"""Settings of the context."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D856"
FIRES = [
    "sc.setLogLevel('ERROR')",
    "spark.sparkContext.setLogLevel('ERROR')",
    "sc.setCheckpointDir('a')",
    "sc.setJobGroup('a', 'b')",
]
SILENT = [
    "log.setLogLevel('ERROR')",
    "sc = other()\nsc.setLogLevel('ERROR')",
    "spark.conf.set('a', 'b')",
    "import logging\nlogging.getLogger('a').setLevel('INFO')",
    "def setLogLevel(level):\n    pass\nsetLogLevel('ERROR')",
    "x = 'sc.setLogLevel'",
    "spark.addTag('a')",
    "class A:\n    def setJobGroup(self):\n        pass\nA().setJobGroup()",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
