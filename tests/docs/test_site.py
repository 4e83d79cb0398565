"""The site of docs/ is built without a warning, has every page and loads nothing from afar."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fenced import DOCS, ROOT


@pytest.mark.slow
def test_site(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    pages = {re.sub(r"(^|/)README$", r"\1index", page) for page in pages}
    built = {path.relative_to(tmp_path / "site") for path in (tmp_path / "site").rglob("*.html")}
    assert pages == {path.with_suffix("").as_posix() for path in built} - {"404"}
    for path in built:
        text = (tmp_path / "site" / path).read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link)\b[^>]*(?:src|href)="([^"]+)"', text)
        assert [link for link in loaded if link.startswith(("http", "//"))] == [], path


def test_site_is_not_committed() -> None:
    assert "/site/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
