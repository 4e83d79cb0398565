"""The release has one version everywhere, a changelog, and works in an environment of its own."""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import dstream_compat
import migrator
from scripts import release_check
from tests.support.fenced import ROOT


def test_version_is_the_same_everywhere() -> None:
    version = release_check.version()

    assert dstream_compat.__version__ == migrator.__version__ == version


def test_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert re.findall(r"^## (.*)$", text, re.MULTILINE)[0] == release_check.version()


def test_a_module_that_is_missing_is_noticed(tmp_path: Path) -> None:
    wheel, sdist = tmp_path / "one.whl", tmp_path / "one.tar.gz"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("dstream_compat/__init__.py", "")
    with tarfile.open(sdist, "w:gz") as archive:
        archive.add(wheel, wheel.name)

    with pytest.raises(release_check.ReleaseError) as failed:
        release_check.check_contents(wheel, sdist)
    for name in ("migrator/cli/main.py", "migrator/py.typed", "migrator/report/page/report.css"):
        assert name in str(failed.value)


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(release_check.ReleaseError, match=r"ended with 3:\nout of luck"):
        release_check.run(
            sys.executable, "-c", "print('out of luck'); raise SystemExit(3)", folder=tmp_path
        )


@pytest.mark.slow
@pytest.mark.full
def test_release(tmp_path: Path) -> None:
    assert release_check.main(["--dist", str(tmp_path / "dist")]) == 0
