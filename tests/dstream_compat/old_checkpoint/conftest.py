"""Checkpoints that PySpark 3.5.9 has written; ``python scripts/old_checkpoints.py`` makes them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.streaming.file_runs import elsewhere

__all__ = ["elsewhere"]

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(autouse=True)
def classes_of_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job's own module, in which its states have their class."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "support" / "old_engine"))


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Path]:
    """A copy of a checkpoint; whatever reads it leaves it as it is."""
    yield Path(shutil.copytree(FIXTURES / "lz4", tmp_path / "old"))
