"""Fixtures of the migrator's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.cli.main import main
from tests.support.migrator.runs import JOB, Run

# some of these have tests of their own
collect_ignore = ["golden", "input_projects", "projects", "python2_projects"]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, for new processes too."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("MIGRATE_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def migrate(capfd: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Runs the command line in this process; usage errors give their exit code too."""

    def run(*arguments: str | Path) -> Run:
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as error:
            code = int(error.code or 0)
        out, err = capfd.readouterr()
        return Run(code, out, err)

    return run


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small legacy project that needs no manual work."""
    root = tmp_path / "legacy"
    (root / "jobs").mkdir(parents=True)
    (root / "jobs" / "job.py").write_text(JOB)
    (root / "jobs" / "plain.py").write_text("print('no streams')\n")
    (root / "data").mkdir()
    (root / "data" / "input.csv").write_bytes(b"a,b\r\n\xff\x00\n")
    (root / "run.sh").write_text("#!/bin/sh\nspark-submit jobs/job.py\n")
    (root / "run.sh").chmod(0o755)
    return root
