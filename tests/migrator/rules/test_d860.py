"""Jobs without a form in Structured Streaming."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.legacy.harness import EXAMPLES
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
CODE = "D860"
HEAD = "import m\n" + JOB[: JOB.index("ssc.socket")]
REFUSED = {
    "glom": "ssc.socketTextStream('h', 1).glom().pprint()",
    "queue": "ssc.queueStream([[1]]).pprint()",
    "unknown function": "ssc.socketTextStream('h', 1).map(m.f).pprint()",
    "a branch": "a = ssc.socketTextStream('h', 1)\nif m.x:\n    a = a.count()\na.pprint()",
    "given away": "a = ssc.socketTextStream('h', 1)\na.pprint()\nm.keep(a)",
}


def target(migrate: Migrate, folder: Path, text: str, *options: str) -> Run:
    """A run over one job."""
    (folder / "job.py").write_text(text)
    args = ["--target", "structured", "--portable", "--check", "--format", "json", "--no-config"]
    return migrate(str(folder / "job.py"), *args, *options)


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED)
def test_a_job_that_stays(migrate: Migrate, tmp_path: Path, code: str) -> None:
    run = target(migrate, tmp_path, f"{HEAD}{code}\nssc.start()\n")
    (found,) = [f for f in run.json["findings"] if f["code"] == CODE]
    assert found["severity"] == "info"
    assert not found["needs_person"]
    assert found["message"].startswith("stays on dstream_compat: ")
    assert run.json["files"][0]["structured"] is None


@pytest.mark.parametrize(
    "code",
    [
        "ssc.socketTextStream('h', 1).pprint()",
        "ssc.socketTextStream('h', 1).map(lambda line: line.strip()).pprint(5)",
        "ssc.socketTextStream('h', 1).count().pprint()",
        "a = ssc.socketTextStream('h', 1)\na.filter(lambda x: 'e' in x).pprint()\na.pprint()",
    ],
)
def test_a_job_that_is_rewritten(migrate: Migrate, tmp_path: Path, code: str) -> None:
    run = target(migrate, tmp_path, f"{HEAD}{code}\nssc.start()\n")
    assert [f for f in run.json["findings"] if f["code"] == CODE] == []
    assert run.json["files"][0]["structured"]["steps"]


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED)
def test_the_usual_target_says_nothing(migrate: Migrate, tmp_path: Path, code: str) -> None:
    (tmp_path / "job.py").write_text(f"{HEAD}{code}\nssc.start()\n")
    run = migrate(str(tmp_path / "job.py"), "--check", "--format", "json", "--notes")
    assert CODE not in json.dumps(run.json["findings"])


def test_a_difference_needs_the_option(migrate: Migrate, tmp_path: Path) -> None:
    code = f"{HEAD}ssc.socketTextStream('h', 1).map(lambda line: int(line)).pprint()\nssc.start()\n"
    run = target(migrate, tmp_path, code)
    (found,) = [f for f in run.json["findings"] if f["code"] == CODE]
    assert found["advice"].startswith("--unsafe-fixes rewrites it; then ")
    assert "1_000" in found["advice"]
    freer = target(migrate, tmp_path, code, "--unsafe-fixes")
    assert [f for f in freer.json["findings"] if f["code"] == CODE] == []
    assert "1_000" in " ".join(freer.json["files"][0]["structured"]["differences"])


def test_each_step_without_a_form_is_named(migrate: Migrate, tmp_path: Path) -> None:
    code = """a = ssc.socketTextStream('h', 1)
a.glom().pprint()
a.map(lambda line: int(line)).pprint()
m.keep(a)
a.map(m.f).pprint()
b = KafkaUtils.createStream(ssc, "zk", "g", {"t": 1})
b.map(lambda kv: m.g(kv[1])).pprint()
"""
    head = f"from pyspark.streaming.kafka import KafkaUtils\n{HEAD}"
    run = target(migrate, tmp_path, f"{head}{code}ssc.start()\n")
    first = head.count("\n") + 1
    found = [f for f in run.json["findings"] if f["code"] == CODE]
    named = [(f["line"] - first, f["message"].rpartition("[")[2].rstrip("]")) for f in found]
    assert named == [
        (1, "PARTITIONS"),
        (2, "INT_TEXT"),
        (3, "USE"),
        (4, "UNKNOWN_NAME"),
        (5, "BROKERS"),
        (6, "UNKNOWN_NAME"),
    ]
    advice = [f["advice"] for f in found]
    assert advice[0] == advice[2] == "nothing to do: the job runs on dstream_compat"
    assert advice[1] == "--unsafe-fixes gives this step a form, but not 5 other steps"
    assert advice[4] == "--kafka-brokers HOST:9092 gives this step a form, but not 5 other steps"


def test_a_step_that_is_alone_says_what_frees_the_job(migrate: Migrate, tmp_path: Path) -> None:
    code = 'KafkaUtils.createStream(ssc, "zk", "g", {"t": 1}).pprint()\nssc.start()\n'
    head = f"from pyspark.streaming.kafka import KafkaUtils\n{HEAD}"
    run = target(migrate, tmp_path, f"{head}{code}")
    (found,) = [f for f in run.json["findings"] if f["code"] == CODE]
    assert found["advice"] == "--kafka-brokers HOST:9092 rewrites it"


@pytest.mark.slow
def test_each_legacy_example_moves_or_says_why_not(migrate: Migrate) -> None:
    args = ["--target", "structured", "--check", "--format", "json", "--no-config", "--no-cache"]
    run = migrate(str(EXAMPLES), *args)
    moved = {file["path"] for file in run.json["files"] if file["structured"]}
    said: dict[str, set[str]] = {}
    for finding in run.json["findings"]:
        if finding["code"] == CODE:
            said.setdefault(finding["path"], set()).add(finding["advice"])
    jobs = {job["path"] for job in run.json["jobs"]}
    assert (len(moved), len(jobs)) == (8, 15)
    # a job may stay for code of another file that it has
    used = {file["path"]: file["jobs"] for file in run.json["files"]}
    stay = {job for path in said for job in used[path]}
    assert jobs == moved | stay
    assert moved.isdisjoint(stay)
    assert said["kafka_receiver_wordcount.py"] == {"--kafka-brokers HOST:9092 rewrites it"}


def test_the_report_sums_reasons_by_project(migrate: Migrate, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n')
        code = "a = ssc.socketTextStream('h', 1)\na.glom().pprint()\na.glom().pprint()\n"
        more = "m.keep(a)\n" if name == "two" else ""
        (tmp_path / name / "job.py").write_text(f"{HEAD}{code}{more}ssc.start()\n")
    run = migrate(str(tmp_path), "--target", "structured", "--portable", "--check", "--no-config")
    text = " ".join(run.out.split())
    assert "stays one: 2 steps without a form: 2 PARTITIONS" in text
    assert "stays two: 3 steps without a form: 2 PARTITIONS, 1 USE" in text
