"""Imports of modules in the same package without a dot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.python2 import HEAD
from tests.support.migrator.reports import project

PACKAGE = {"jobs/__init__.py": "", "jobs/helpers.py": "x = 1\n", "jobs/more/__init__.py": ""}
TOLD = ["import helpers\n", "from helpers import x\n", "import more.deep\n", "import os, helpers\n"]
SILENT = [
    "from . import helpers\n",
    "from .helpers import x\n",
    "from jobs import helpers\n",
    "import jobs.helpers\n",
    "from __future__ import absolute_import\nimport helpers\n",
    "import os\n",
    "import helpers2\n",
    "import job\n",
]


def told(root: Path, files: dict[str, str], source: str) -> list[int]:
    first, _, rest = HEAD.partition("\n")
    future = source.startswith("from __future__")
    text = f"{source}{HEAD}" if future else f"{first}\n{source}{rest}"
    found = project(root, {**files, "jobs/job.py": text})
    return [f.at.line for _, f in found.findings() if f.code == "D019"]


@pytest.mark.parametrize("source", TOLD)
def test_told(tmp_path: Path, source: str) -> None:
    assert told(tmp_path, PACKAGE, source) == [2]


@pytest.mark.parametrize("source", SILENT)
def test_silent(tmp_path: Path, source: str) -> None:
    assert told(tmp_path, PACKAGE, source) == []


@pytest.mark.parametrize("source", TOLD)
def test_a_folder_that_is_no_package(tmp_path: Path, source: str) -> None:
    files = {name: text for name, text in PACKAGE.items() if name != "jobs/__init__.py"}
    assert told(tmp_path, files, source) == []
