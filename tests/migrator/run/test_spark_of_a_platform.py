"""`--spark` of a platform without `dstream_compat`: what jobs require, and jobs that stay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]

# its stream is given to code that is not known
STAYS = JOB.replace(".pprint()", ".foreachRDD(None)").replace(
    "ssc.start()", "model.fit(ssc.socketTextStream('h', 1))\nssc.start()"
)
KAFKA = "org.apache.spark:spark-sql-kafka-0-10_"
COMMAND = "spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.7 job.py\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a job that moves, as its platform runs it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "job.py").write_text(JOB)
    return folder


def codes(run: Run) -> dict[str, str]:
    """Return the message of each finding that asks for a change, by its code."""
    return {each["code"]: each["message"] for each in run.json["findings"] if not each["fixed"]}


def check(migrate: Migrate, project: Path, spark: str) -> dict[str, str]:
    """Return what remains to be done in a project for a Spark."""
    options = ("--target", "structured", "--spark", spark, "--check", "--format", "json")
    return codes(migrate(project, *options))


@pytest.mark.parametrize(
    ("file", "text", "oldest"),
    [
        ("requirements.txt", "pyspark==3.3.1\n", "3.3"),
        ("requirements.txt", "pyspark==3.5.4\n", "3.5"),
        ("requirements.txt", "pyspark>=3,<3.4\n", "3.3"),
        ("requirements.txt", "pyspark==4.0.2\n", "4.0"),
        ("Dockerfile", "FROM python:3.9-slim\n", "4.0"),
        ("Dockerfile", "FROM python:3.8-slim\n", "3.5"),
        ("Dockerfile", "FROM openjdk:8-slim\n", "3.5"),
        ("Dockerfile", "FROM openjdk:11-slim\n", "3.5"),
        ("Dockerfile", "FROM eclipse-temurin:17\n", "4.0"),
        ("run.sh", "spark-submit --packages com.example:source_2.12:1.0 job.py\n", "3.5"),
        ("run.sh", f"spark-submit --packages {KAFKA}2.12:3.5.0 job.py\n", "3.5"),
        ("create.sh", "aws emr create-cluster --release-label emr-7.1.0\n", "3.5"),
    ],
)
def test_what_a_platform_has_is_enough(
    migrate: Migrate, project: Path, file: str, text: str, oldest: str
) -> None:
    (project / file).write_text(text)
    assert check(migrate, project, oldest) == {}


@pytest.mark.parametrize(
    ("file", "text", "spark", "code", "said"),
    [
        ("requirements.txt", "pyspark==3.3.1\n", "3.5", None, "pyspark>=3.5,<5"),
        ("requirements.txt", "pyspark==3.5.4\n", "4.2", None, "pyspark>=4.2,<5"),
        ("Dockerfile", "FROM python:2.7-slim\n", "3.5", None, "FROM python:3.11-slim"),
        ("Dockerfile", "FROM python:2.7-slim\n", "3.3", None, "FROM python:3.10-slim"),
        ("Dockerfile", "FROM openjdk:7-jre\n", "3.5", "D909", "Spark 3 needs Java 8 or later"),
        ("Dockerfile", "FROM openjdk:8-jre\n", "4.0", "D909", "Spark 4 needs Java 17 or later"),
        ("run.sh", COMMAND, "3.5", None, f"{KAFKA}2.12:3.5.0"),
        ("run.sh", COMMAND, "4.0", None, f"{KAFKA}2.13:4.0.0"),
        (
            *("run.sh", "spark-submit --packages com.example:source_2.11:1.0 job.py\n", "3.5"),
            *("D902", "is built for Scala 2.11; Spark 3 runs on Scala 2.12"),
        ),
        (
            *("run.sh", "spark-submit --packages com.example:source_2.12:1.0 job.py\n", "4.0"),
            *("D902", "is built for Scala 2.12; Spark 4 runs on Scala 2.13"),
        ),
        (
            *("run.sh", f"spark-submit --packages {KAFKA}2.12:3.1.2 job.py\n", "3.5"),
            *(None, f"{KAFKA}2.12:3.5.0"),
        ),
        (
            *("create.sh", "aws emr create-cluster --release-label emr-5.29.0\n", "3.5"),
            *("D905", "--spark 3.5 needs Spark 3.5 or later"),
        ),
    ],
)
def test_what_it_lacks_is_told_or_mended(
    migrate: Migrate, project: Path, file: str, text: str, spark: str, code: str | None, said: str
) -> None:
    (project / file).write_text(text)
    left = check(migrate, project, spark)
    if code is not None:
        assert [*left] == [code]
        assert said in left[code]
        return
    assert left == {}
    migrate(project, "--target", "structured", "--spark", spark, "--in-place")
    assert said in (project / file).read_text()


@pytest.mark.parametrize("spark", ["3.3", "3.5", "4.0"])
def test_a_job_that_stays_is_left_as_it_was(migrate: Migrate, project: Path, spark: str) -> None:
    (project / "stays.py").write_text(STAYS)
    run = migrate(project, "--target", "structured", "--spark", spark, "--in-place")
    assert run.code == 1
    assert (project / "stays.py").read_text() == STAYS
    assert "readStream" in (project / "job.py").read_text()
    said = " ".join(run.out.split())
    assert "2 jobs: 1 runs now, 1 needs something" in said
    assert f"stays as it is on Spark {spark}:" in said
    assert f"not rewritten: dstream_compat does not run on Spark {spark}" in said


@pytest.mark.parametrize("options", [("--spark", "4.1"), ()])
def test_a_job_that_stays_runs_on_dstream_compat(
    migrate: Migrate, project: Path, options: tuple[str, ...]
) -> None:
    (project / "stays.py").write_text(STAYS)
    run = migrate(project, "--target", "structured", *options, "--in-place")
    assert run.code == 0, run.out
    assert "from dstream_compat import" in (project / "stays.py").read_text()
    assert "stays on dstream_compat" in " ".join(run.out.split())


def test_dstream_compat_needs_its_own_spark(migrate: Migrate, project: Path) -> None:
    (project / "requirements.txt").write_text("pyspark==3.5.4\n")
    options = ("--target", "compat", "--spark", "3.5", "--check", "--format", "json")
    found = [each for each in migrate(project, *options).json["findings"] if each["code"] == "D905"]
    assert [each["message"] for each in found] == [
        "`pyspark==3.5.4` asks for `>=4.1,<5` now, instead of `==3.5.4`"
    ]


def test_spark_submit_runs_what_moves(migrate: Migrate, project: Path) -> None:
    run = migrate(project, "--target", "structured", "--submit", "dstream-compat", "--check")
    assert run.code == 2
    assert "--submit is for --target compat" in run.err
