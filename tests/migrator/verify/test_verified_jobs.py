"""Reports of `migrate` show what the last verification of a job has found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.verify.programs import job_files
from tests.support.migrator.runs import JOB, Run

Jobs = Callable[..., list[str | Path]]
Migrate = Callable[..., Run]
EQUAL = {"result": "equal", "batches": 5, "equal_batches": 5, "rows": {"original": 9}}


def write_verdict(folder: Path, job: Path, date: str, **more: Any) -> None:
    """Leave what a verification leaves, beside the job."""
    folder.mkdir()
    source = {"path": f"../{job.name}", "sha256": hashlib.sha256(job.read_bytes()).hexdigest()}
    found = EQUAL | {"date": date, "sources": [source]} | more
    (folder / "verdict.json").write_text(json.dumps(found))


def verified(migrate: Migrate, path: Path) -> list[Any]:
    return [job["verified"] for job in migrate(path, "--check", "--format", "json").json["jobs"]]


@pytest.mark.slow
def test_from_the_verification_to_the_report(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    given = jobs(old=JOB)
    assert verified(migrate, tmp_path / "job.py") == [None]
    assert migrate(*given[:-1], tmp_path / "verify-job").code == 0
    (found,) = verified(migrate, tmp_path / "job.py")
    assert found.pop("date").endswith("+00:00")
    counts = {"batches": 5, "equal_batches": 5, "rows": 12}
    assert found == {"result": "equal", "changed_since": False} | counts
    # the migrated job is what was verified, too
    (tmp_path / "new.py").write_text("print()\n")
    (found,) = verified(migrate, tmp_path / "job.py")
    assert found["changed_since"] is True


@pytest.mark.slow
def test_different(jobs: Jobs, migrate: Migrate, tmp_path: Path) -> None:
    given = jobs("WRONG", old=JOB)
    assert migrate(*given[:-1], tmp_path / "verify-job", "--no-shrink").code == 1
    (found,) = verified(migrate, tmp_path / "job.py")
    assert (found["result"], found["batches"], found["equal_batches"]) == ("differs", 5, 4)


def test_what_cannot_be_compared_is_not_verified(
    jobs: Jobs, migrate: Migrate, tmp_path: Path
) -> None:
    given = jobs("REFUSES", old=JOB)
    assert migrate(*given[:-1], tmp_path / "verify-job").code == 2
    assert verified(migrate, tmp_path / "job.py") == [None]


@pytest.mark.parametrize("place", ["beside the job", "in the working folder"])
def test_reports(migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    job = tree / "jobs" / "job.py"
    folder = tree / "jobs"
    if place != "beside the job":
        folder = tree.parent / "elsewhere"
        folder.mkdir()
        monkeypatch.chdir(folder)
    digest = hashlib.sha256(job.read_bytes()).hexdigest()
    source = {"path": "../../legacy/jobs/job.py", "sha256": digest}
    where = folder / "verify-a"
    sources = [source] if place != "beside the job" else [source | {"path": "../job.py"}]
    write_verdict(where, job, "2026-03-01T23:30:00+00:00", sources=sources)
    text = "verified 2026-03-01: 5 of 5 batches equal, 9 rows"
    lines = migrate(tree, "--check").out.splitlines()
    assert lines[1:3] == ["  runs    jobs/job.py", f"  equal   jobs/job.py  {text}"]
    page = migrate(tree, "--check", "--format", "html").out
    assert "<td>equal</td>" in page
    assert f"<td>{text}</td>" in page
    assert f"- **equal** `jobs/job.py`: {text}\n" in (
        migrate(tree, "--check", "--format", "markdown").out
    )
    job.write_text(f"{JOB}\n")
    assert f"{text}; changed since\n" in migrate(tree, "--check").out


def test_the_last_verification_counts(migrate: Migrate, tree: Path) -> None:
    folder, job = tree / "jobs", tree / "jobs" / "job.py"
    write_verdict(folder / "verify-a", job, "2026-03-02T00:00:00+00:00", result="different")
    write_verdict(folder / "verify-b", job, "2026-03-01T00:00:00+00:00")
    write_verdict(folder / "verify-c", tree / "run.sh", "2026-03-03T00:00:00+00:00")
    (found,) = verified(migrate, tree)
    assert (found["result"], found["date"]) == ("differs", "2026-03-02T00:00:00+00:00")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"sources": [{"path": "a", "sha256": ""}], "result": "equal", '
        '"date": "0001-01-01T00:00:00+14:00"}',
        "[" * 100_000,
        '{"sources": [{"path": "a\\u0000", "sha256": ""}]}',
        "\xff",
    ],
)
def test_a_verdict_that_cannot_be_read(migrate: Migrate, tree: Path, text: str) -> None:
    (tree / "jobs" / "verify-a").mkdir()
    (tree / "jobs" / "verify-a" / "verdict.json").write_text(text, "latin-1")
    run = migrate(tree, "--check")
    assert "verify-a/verdict.json is no verdict that can be read; verify again" in run.err
    assert "verified" not in run.out


def test_files_of_a_job(tmp_path: Path) -> None:
    texts = {
        "job.py": "import json, one\nfrom pack.inner import f\n",
        "one.py": "import two\nimport job\n",
        "two.py": "",
        "three.py": "",
        "pack/__init__.py": "",
        "pack/inner.py": "import broken\n",
        "broken.py": "# coding: no-such-codec\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = [str(one.relative_to(tmp_path)) for one in job_files(tmp_path / "job.py")]
    assert found[0] == "job.py"
    assert sorted(found) == sorted({*texts} - {"three.py"})
