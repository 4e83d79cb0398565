"""Code that is not about DStreams: nothing is found in it."""

from __future__ import annotations

import os
from pathlib import Path

import libcst
import pyspark
import pytest

from migrator.run.scan import scan

pytestmark = pytest.mark.slow

SPARK = Path(pyspark.__path__[0])


def test_the_standard_library() -> None:
    found = scan(Path(os.__file__).parent, "check")
    assert found.scanned > 500
    assert [f.path for f in found.files] == []


def test_libcst() -> None:
    found = scan(Path(libcst.__file__).parent, "check")
    assert found.scanned > 100
    assert [f.path for f in found.files] == []


@pytest.mark.parametrize("folder", ["sql", "pandas", "ml", "core"])
def test_parts_of_pyspark_by_themselves(folder: str) -> None:
    """Seen from inside, imports do not lead to the package's top."""
    assert [f.path for f in scan(SPARK / folder, "check").files] == []
