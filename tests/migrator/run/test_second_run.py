"""A second run over a migrated project makes no edit, and undo brings the project back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.output.journal import run_folders
from tests.support.migrator.crashes import described
from tests.support.migrator.goldens import ALL_FIXES, GOLDEN
from tests.support.migrator.runs import Run

pytestmark = pytest.mark.slow

Migrate = Callable[..., Run]


@pytest.mark.parametrize(
    "options",
    [pytest.param([], id="safe"), pytest.param(ALL_FIXES, id="all", marks=pytest.mark.full)],
)
@pytest.mark.parametrize("project", GOLDEN, ids=lambda path: path.name)
def test_golden(migrate: Migrate, tmp_path: Path, project: Path, options: list[str]) -> None:
    root = tmp_path / "project"
    shutil.copytree(project, root, ignore=shutil.ignore_patterns("__pycache__"))
    before = described(root)

    first = migrate(root, "--in-place", *options)
    after = described(root)
    second = migrate(root, "--in-place", *options)

    assert first.code in (0, 1), first.err
    assert described(root) == after
    changed = [name for name in before if before[name] != after[name]]
    assert len(run_folders(root)) == bool(changed)
    assert second.code in (0, 1), second.err
    assert "To undo this" not in second.out
    if changed:
        assert migrate("undo", root).out.splitlines()[:-1] == sorted(changed)
        assert described(root) == before


def test_most_projects_change(migrate: Migrate, tmp_path: Path) -> None:
    changed = 0
    for number, project in enumerate(GOLDEN):
        root = tmp_path / str(number)
        shutil.copytree(project, root, ignore=shutil.ignore_patterns("__pycache__"))
        changed += "To undo this" in migrate(root, "--in-place").out
    assert changed > 0.7 * len(GOLDEN)
