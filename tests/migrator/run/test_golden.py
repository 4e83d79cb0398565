"""Golden cases: `before.py` becomes `after.py` (none: it stays), with the findings listed.

`MIGRATE_UPDATE_GOLDEN=1 pytest tests/migrator/run/test_golden.py` writes the expected files anew.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from migrator.model.report import FileReport
from tests.support.migrator.reports import report

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = sorted(p.name for p in GOLDEN.iterdir())


def listed(found: FileReport) -> str:
    findings = [
        f"{f.at.line}:{f.at.column} {f.code} {'fixed' if f.is_fixed else f.severity} {f.message}"
        for f in found.findings
    ]
    sites = [
        f"{s.at.line}:{s.at.column} {s.receiver} {s.name} {s.use} {s.outcome} {s.confidence}"
        for s in found.sites
    ]
    return "\n".join(["# findings", *findings, "# sites", *sites]) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    folder = GOLDEN / name
    found = report((folder / "before.py").read_bytes())
    after = folder / "after.py"
    if os.environ.get("MIGRATE_UPDATE_GOLDEN"):
        after.unlink(missing_ok=True)
        if found.content is not None:
            after.write_bytes(found.content)
        (folder / "findings.txt").write_text(listed(found), "utf-8")
    expected = after.read_bytes() if after.exists() else None
    assert found.content == expected
    assert listed(found) == (folder / "findings.txt").read_text("utf-8")


@pytest.mark.parametrize("name", CASES)
def test_result_is_stable_and_valid(name: str) -> None:
    found = report((GOLDEN / name / "before.py").read_bytes())
    if found.content is not None:
        ast.parse(found.content)
        again = report(found.content)
        assert again.content is None
        assert [f for f in again.findings if f.is_fixed] == []
