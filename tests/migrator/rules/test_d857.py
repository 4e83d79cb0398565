"""Files for executors."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D857"
FIRES = [
    "sc.addFile('a')",
    "sc.addPyFile('a.py')",
    "spark.sparkContext.addPyFile('a.py')",
    "sc.addArchive('a.zip')",
]
SILENT = [
    "spark.addArtifacts('a.py', pyfile=True)",
    "archive.addFile('a')",
    "sc = other()\nsc.addPyFile('a')",
    "import sys\nsys.path.append('a')",
    "def addFile(a):\n    pass\naddFile('a')",
    "x = 'sc.addFile'",
    "class A:\n    def addArchive(self, a):\n        pass\nA().addArchive('a')",
    "spark.sql('ADD FILE a')",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
