"""The tool `verify`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.migrator.assistant import Answer, Assistant, talk, without_spark

pytestmark = pytest.mark.slow

GIVEN = {
    "job": "jobs/job.py",
    "migrated": "moved/new.py",
    "recording": "recorded",
    "wait_seconds": 600,
}


def verify(project: Path, *options: str, **arguments: Any) -> Answer:
    """Verify with a process that stands for Spark."""
    site = project.parent / "site"
    path = str(site) if site.exists() else without_spark(site)

    async def work(assistant: Assistant) -> Answer:
        answer = await assistant.call("verify", **{**GIVEN, **arguments})
        if answer.error:
            return answer
        assert answer.result["status"] == "finished"
        return Answer(answer.result["verification"], "")

    return talk(project, work, *options, python_path=path)


def plant(project: Path, text: str) -> None:
    """Give the migrated job a fault of `fake_run_job`."""
    new = project / "moved" / "new.py"
    new.write_text(f"{new.read_text()}# {text}\n")


def test_equal_jobs(project: Path) -> None:
    found = verify(project, "--real", "sqlite3", real=["sqlite3"]).result
    assert (found["result"], found["batches"], found["equal_batches"]) == ("equal", 3, 3)
    assert (found["original"]["engine"], found["migrated"]["engine"]) == ("dstreams", "compat")
    assert (found["original"]["job"], found["migrated"]["job"]) == ("jobs/job.py", "moved/new.py")
    assert found["rows_original"] == found["rows_migrated"] > 0
    assert [output["kind"] for output in found["outputs"]] == ["pprint"]
    assert (found["first_difference"], found["smallest_input"], found["test"]) == (None,) * 3
    assert found["folder"] == "verify-job"
    assert json.loads((project / "verify-job" / "verdict.json").read_text())["result"] == "equal"
    for name in ("old", "new"):
        first = (project / "verify-job" / f"{name}.jsonl").read_text().splitlines()[0]
        assert json.loads(first)["real"] == ["sqlite3"]


@pytest.mark.parametrize("options", [[], ["--real", "redis"]])
def test_the_owner_says_what_jobs_may_use_themselves(project: Path, options: list[str]) -> None:
    error = verify(project, *options, real=["redis", "sqlite3"]).error
    assert "sqlite3 themselves here; the owner allows it with `migrate mcp --real" in error
    assert not (project / "verify-job").exists()


def test_a_copy_is_migrated(project: Path) -> None:
    found = verify(project, migrated=None, out="results/first").result
    assert found["result"] == "equal"
    assert found["migrated"]["job"] == "results/first/migrated/job.py"


def test_jobs_that_differ(project: Path) -> None:
    plant(project, "WRONG")
    found = verify(project).result
    assert found["result"] == "different"
    assert found["operator"] == "reduceByKey at job.py:2"
    difference = found["first_difference"]
    assert (difference["batch"], difference["output"]) == (2, "pprint at job.py:3")
    assert len(difference["only_original"]) == difference["only_original_count"] == 1
    assert "c" in difference["only_original"][0]
    smallest = found["smallest_input"]
    assert smallest["path"] == "verify-job/smallest.jsonl"
    *_, last = smallest["text"].splitlines()
    assert json.loads(last) == {"batch": 1, "input": {"socket:9999": ["b a", "q c"]}}
    assert found["test"]["path"] == "verify-job/test_job.py"
    compile(found["test"]["text"], "test_job.py", "exec")


def test_no_smallest_input_is_looked_for_if_that_is_not_asked(project: Path) -> None:
    plant(project, "WRONG")
    found = verify(project, shrink_seconds=0).result
    assert (found["result"], found["smallest_input"]) == ("different", None)


def test_jobs_that_cannot_be_compared(project: Path) -> None:
    old = project / "jobs" / "job.py"
    old.write_text(f"{old.read_text()}# EXITS\n")
    found = verify(project).result
    assert found["result"] == "not comparable"
    assert found["obstacle"] and found["advice"]


def test_runs_are_bounded_by_the_server(project: Path) -> None:
    plant(project, "SLEEPS")
    found = verify(project, "--run-timeout", "1", timeout=600).result
    assert found["result"] == "not comparable"
    assert "longer than 1 s" in found["obstacle"]


def test_the_memory_of_runs_is_bounded_by_the_server(project: Path) -> None:
    plant(project, "EATS")
    found = verify(project, "--memory", "192m", memory_mib=100_000).result
    assert found["result"] == "not comparable"
    assert "more than 192 MiB" in found["obstacle"]


def test_huge_rows_are_bounded(project: Path) -> None:
    verify(project)
    shutil.move(project / "verify-job" / "old.jsonl", project / "expected.jsonl")
    words = [f"{'w' * 3000}{number}" for number in range(1000)]
    lines = [
        {"format": 1, "interval": 1, "sources": {"socket:9999": {}}},
        {"batch": 1, "input": {"socket:9999": [*words, "d e"]}},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (project / "recorded" / "batches.jsonl").write_text(text)
    found = verify(project, expected="expected.jsonl").result
    assert found["result"] == "different"
    difference = found["first_difference"]
    assert difference["only_migrated_count"] == 1002
    assert len(difference["only_migrated"]) < 100
    assert len(json.dumps(found)) < 60_000


def test_steps_are_told(project: Path) -> None:
    steps: list[str | None] = []

    async def work(assistant: Assistant) -> None:
        async def tell(progress: float, total: float | None, message: str | None) -> None:
            steps.append(message)

        await assistant.client.call_tool("verify", GIVEN, progress_callback=tell)

    talk(project, work, python_path=without_spark(project.parent / "site"))
    assert any("running" in str(step) for step in steps)


def test_files_of_another_working_folder(project: Path) -> None:
    shutil.move(project / "recorded", project / "jobs" / "recorded")
    found = verify(project, recording="jobs/recorded", working_folder="jobs").result
    assert (found["result"], found["folder"]) == ("equal", "jobs/verify-job")


def test_with_spark(project: Path) -> None:
    new = project / "moved" / "new.py"
    new.write_text(new.read_text().replace("a + b", "max(a, b)"))

    async def work(assistant: Assistant) -> dict[str, Any]:
        return await assistant.result("verify", **GIVEN)

    found = talk(project, work)["verification"]
    assert found["result"] == "different"
    assert found["operator"].startswith("reduceByKey")
    assert found["first_difference"]["batch"] == 1
