"""Jobs that stay as they are, each with its reason: the first line of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import rewrite

JOBS = sorted((Path(__file__).parent / "refused").glob("*.py"))


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_job_is_refused_for_its_reason(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code, _, part = text.splitlines()[0].removeprefix("# ").partition(": ")
    reason = rewrite(text)
    assert isinstance(reason, Reason)
    assert (reason.code, part in reason.text) == (code, True), reason
