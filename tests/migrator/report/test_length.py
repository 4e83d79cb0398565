"""A finding takes two lines of a terminal at most, and its advice one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from migrator.model.report import Report
from migrator.run.apply_fixes import apply_fixes
from migrator.run.migrate import merge_findings
from migrator.run.scan import scan
from migrator.select.apply import apply_filter, make_filter
from migrator.spark.settings import SETTINGS
from tests.support.migrator.terminal import WIDTH, printed

ROOT = Path(__file__).parents[3]
TREES = [
    ROOT / "legacy_examples",
    *(
        path
        for folder in ("projects", "input_projects", "golden")
        for path in sorted((ROOT / "tests" / "migrator" / folder).iterdir())
        if path.is_dir()
    ),
]
SCREEN = 40
CUT = " ..."
FINDING = re.compile(r" *(?:\[\d+\] )?\d+:\d+  D\d{3} ")


def migrated(root: Path, brokers: str | None, notes: bool) -> Report:
    report = scan(root, "check")
    values = {} if brokers is None else {"kafka-brokers": brokers}
    apply_filter(report, root, make_filter((), (), None, None, notes, False, values))
    apply_fixes(report)
    merge_findings(report)
    return report


def too_long(lines: list[str]) -> list[str]:
    """Lines that are wider than the terminal or cut, and findings of more than two lines."""
    found = [line for line in lines if len(line.rstrip()) > WIDTH or line.rstrip().endswith(CUT)]
    for number, line in enumerate(lines):
        if FINDING.match(line):
            rest = lines[number + 1 : number + 3]
            more = [r for r in rest if r.startswith(" " * 11) and not r.lstrip().startswith("->")]
            if len(more) == 2:
                found.append(line)
    return found


@pytest.mark.parametrize("root", TREES, ids=lambda root: f"{root.parent.name}-{root.name}")
def test_two_lines_for_a_finding(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for brokers in (None, "b:9092"):
        report = migrated(root, brokers, notes=True)
        assert too_long(printed(report, monkeypatch)) == [] or not report.files


@pytest.mark.parametrize("value", ["true", "12"])
def test_every_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    lines = [f"{key} {value}\n" for key in SETTINGS]
    (tmp_path / "spark-defaults.conf").write_text("".join(lines))
    report = migrated(tmp_path, None, notes=True)
    assert len(report.findings()) >= len(SETTINGS)
    assert too_long(printed(report, monkeypatch)) == []


def test_the_examples_fit_on_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    report = migrated(ROOT / "legacy_examples", "b:9092", notes=False)
    lines = printed(report, monkeypatch)
    assert len(lines) <= SCREEN
    assert lines[0].startswith("15 jobs, once rewritten: 11 run, 4 need something; 1 other file")
    assert sum(bool(FINDING.match(line)) for line in lines) == 6
    verbose = printed(report, monkeypatch, verbose=True)
    assert len(verbose) > 3 * SCREEN


def test_nothing_is_cut_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    report = migrated(ROOT / "legacy_examples", "b:9092", notes=True)
    lines = printed(report, monkeypatch, width=80)
    assert [line for line in lines if len(line.rstrip()) > 80 or line.rstrip().endswith(CUT)] == []
    text = " ".join(" ".join(lines).split())
    assert all(f"-> {f.advice}" in text for _, f in report.findings() if f.advice)


def test_what_does_not_fit_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a_very_long_name_for_a_quorum_" * 12
    (tmp_path / "job.py").write_text(
        "from dstream_compat.kafka import KafkaUtils\n"
        f"KafkaUtils.createStream(ssc, '{name}', 'g', {{'t': 1}}).pprint()\n"
    )
    report = migrated(tmp_path, None, notes=False)
    lines = printed(report, monkeypatch)
    assert any(line.rstrip().endswith(CUT) for line in lines)
    verbose = "".join(line.strip() for line in printed(report, monkeypatch, verbose=True))
    assert name in verbose
