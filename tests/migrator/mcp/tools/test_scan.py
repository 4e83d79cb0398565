"""The tool `scan`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fenced import ROOT
from tests.support.migrator.assistant import Assistant, call, talk

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "legacy_examples"


def test_jobs_are_those_of_the_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "migrator", EXAMPLES, "--check", "--format", "json", "--no-cache"],
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=120,
    )
    report = json.loads(done.stdout)

    async def work(assistant: Assistant) -> None:
        found = await assistant.result("scan")
        assert {
            job["path"]: (job["state"], job["effort_minutes"], job["modules"])
            for job in found["jobs"]
        } == {
            job["path"]: (job["state"], job["effort_minutes"], job["modules"])
            for job in report["jobs"]
        }
        summary = found["summary"]
        assert summary["jobs"] == report["summary"]["jobs"]
        assert summary["findings"] == report["summary"]["findings"]
        findings = await assistant.result("scan", show="findings", limit=200)
        assert [(f["code"], f["path"], f["line"], f["message"]) for f in findings["findings"]] == [
            (f["code"], f["path"], f["line"], f["message"]) for f in report["findings"]
        ]

    talk(EXAMPLES, work)


def test_sources_and_states() -> None:
    jobs = {job["path"]: job for job in call(EXAMPLES, "scan").result["jobs"]}
    plain = jobs["network_wordcount.py"]
    assert plain["sources"] == ["socketTextStream at network_wordcount.py:24"]
    assert plain["states"] == []
    assert jobs["clickstream/job.py"]["states"] == ["window at clickstream/pipeline.py:24"]
    stateful = jobs["recoverable_network_wordcount.py"]
    assert [text.partition(" ")[0] for text in stateful["sources"]] == ["socketTextStream"]
    assert jobs["kafka_receiver_wordcount.py"]["state"] == "needs"
    assert "D201" in jobs["kafka_receiver_wordcount.py"]["needs"]


def test_paths_are_relative_to_the_folder(project: Path) -> None:
    (project / "jobs" / "broken.py").write_text(
        "import pyspark.streaming\nfrom pyspark.streaming import (\n"
    )
    by_folder = call(project, "scan", path="jobs").result
    assert [job["path"] for job in by_folder["jobs"]] == ["jobs/job.py"]
    assert by_folder["summary"]["unreadable"] == ["jobs/broken.py"]
    by_file = call(project, "scan", path=str(project / "jobs" / "job.py")).result
    assert by_file["jobs"] == by_folder["jobs"]


def test_nothing_is_written(project: Path) -> None:
    before = sorted(project.rglob("*"))
    call(project, "scan")
    assert sorted(project.rglob("*")) == before


def test_the_last_verification_is_said(project: Path) -> None:
    folder = project / "verify-job"
    folder.mkdir()
    verdict = {
        "result": "different",
        "sources": [{"path": "../jobs/job.py", "sha256": "0"}],
        "date": "2026-01-02T03:04:05+00:00",
        "batches": 3,
        "equal_batches": 2,
        "rows": {"original": 5},
    }
    (folder / "verdict.json").write_text(json.dumps(verdict))
    (job,) = call(project, "scan", path="jobs").result["jobs"]
    assert job["verified"] == "differs on 2026-01-02: 2 of 3 batches equal; changed since"
