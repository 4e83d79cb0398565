"""What one project of a tree has or lacks does not count for another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
JOB = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
    "ssc.socketTextStream('h', 1).pprint()\nssc.start()\nssc.awaitTermination()\n"
)
PATCHED = JOB + "\nfrom unittest import mock\nmock.patch('pyspark.streaming.StreamingContext')\n"
BROKEN = "from pyspark.streaming import StreamingContext\ndef f(:\n"
RECEIVER = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    "from pyspark.streaming.kafka import KafkaUtils\n\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
    "KafkaUtils.createStream(ssc, 'zk:2181', 'g', {'t': 1}).pprint()\nssc.start()\n"
)
LOG = "spark.streaming.receiver.writeAheadLog.enable true\n"
SUBMIT = "spark-submit main.py\n"


def write(root: Path, **projects: dict[str, str]) -> Path:
    """Write projects, each with what shows that it is one."""
    for name, files in projects.items():
        for path, text in ({"README.md": ""} | files).items():
            file = root / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return root


def codes(run: Run, path: str) -> list[tuple[str, bool]]:
    return [(f["code"], f["fixed"]) for f in run.json["findings"] if f["path"] == path]


def check(migrate: Migrate, root: Path, *options: str) -> Run:
    return migrate(root, "--check", "--no-cache", "--format", "json", *options)


def test_a_broken_file_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    root = write(tmp_path, one={"job.py": PATCHED}, two={"job.py": BROKEN})
    assert ("D102", True) in codes(check(migrate, root), "one/job.py")
    # of the same one it keeps the string
    (root / "one" / "broken.py").write_text(BROKEN)
    assert ("D102", False) in codes(check(migrate, root), "one/job.py")


def test_streams_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    old = {"requirements.txt": "pyspark==2.4.8\n"}
    root = write(tmp_path, one={"job.py": JOB}, two=old)
    assert codes(check(migrate, root), "two/requirements.txt") == []
    write(tmp_path, one=old)
    assert [c for c, _ in codes(check(migrate, root), "one/requirements.txt")] == ["D905"]


def test_settings_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    job = JOB.replace("ssc.start", "ssc.checkpoint('c')\nssc.start")
    root = write(tmp_path, one={"job.py": job}, two={"job.py": JOB, "spark-defaults.conf": LOG})
    assert "D401" in [c for c, _ in codes(check(migrate, root, "--notes"), "one/job.py")]
    write(tmp_path, one={"spark-defaults.conf": LOG})
    assert "D401" not in [c for c, _ in codes(check(migrate, root, "--notes"), "one/job.py")]


def test_commands_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    batch = {"main.py": "print(1)\n", "run.sh": SUBMIT}
    root = write(tmp_path, one={"main.py": JOB, "run.sh": SUBMIT}, two=batch)
    run = check(migrate, root, "--submit", "dstream-compat")
    assert codes(run, "one/run.sh") == [("D907", True)]
    assert codes(run, "two/run.sh") == []


def test_homes_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    home = {"run.sh": "export SPARK_HOME=/opt/spark-2.4.0\nspark-submit main.py\n"}
    reads = {"a.py": JOB + "import os\nprint(os.environ['SPARK_HOME'])\n"}
    root = write(tmp_path, one={"main.py": JOB} | home, two=reads, three={"main.py": ""} | home)
    run = check(migrate, root)
    assert ("D908", True) in codes(run, "one/run.sh")
    assert codes(run, "three/run.sh") == []
    write(tmp_path, one=reads)
    assert ("D908", True) not in codes(check(migrate, root), "one/run.sh")


def test_contexts_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    job = "from fw import context\nssc = context()\nssc.textFileStream('x').pprint()\nssc.start()\n"
    job += "ssc.awaitTerminationOrTimeout(1)  # DStream\n"
    root = write(tmp_path, one={"job.py": job}, two={"job.py": JOB})
    assert "D107" in [c for c, _ in codes(check(migrate, root), "one/job.py")]
    write(tmp_path, one={"main.py": JOB})
    assert "D107" not in [c for c, _ in codes(check(migrate, root), "one/job.py")]


def test_brokers_are_one_finding_for_each_project(migrate: Migrate, tmp_path: Path) -> None:
    two = {"a.py": RECEIVER, "b.py": RECEIVER}
    root = write(tmp_path, one=two, two=two)
    found = [f["path"] for f in check(migrate, root).json["findings"] if f["code"] == "D201"]
    assert found == ["one/a.py", "two/a.py"]


def test_modules_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    job = JOB.replace("ssc.socket", "from helpers import lines\nlines(ssc).count()\nssc.socket")
    made = {"lib/helpers.py": "def lines(ssc):\n    return ssc.textFileStream('x')\n"}
    root = write(tmp_path, one={"job.py": job}, two=made)
    run = check(migrate, root)
    assert [s["receiver"] for s in run.json["sites"] if s["name"] == "count"] == []
    write(tmp_path, one=made)
    run = check(migrate, root)
    assert [s["receiver"] for s in run.json["sites"] if s["name"] == "count"] == ["DStream"]


@pytest.mark.parametrize("marker", [".git", "setup.py"])
def test_what_is_around_a_project_counts(migrate: Migrate, tmp_path: Path, marker: str) -> None:
    (tmp_path / "setup.py").write_text("")
    root = write(tmp_path, inner={"job.py": PATCHED, marker: ""})
    (root / "broken.py").write_text(BROKEN)
    assert ("D102", False) in codes(check(migrate, root), "inner/job.py")


def test_the_cache_knows_the_projects(migrate: Migrate, tmp_path: Path) -> None:
    job = JOB.replace("ssc.socket", "from helpers import lines\nlines(ssc).count()\nssc.socket")
    made = "def lines(ssc):\n    return ssc.textFileStream('x')\n"
    (tmp_path / "one").mkdir()
    (tmp_path / "two" / "lib").mkdir(parents=True)
    (tmp_path / "one" / "job.py").write_text(job)
    (tmp_path / "two" / "lib" / "helpers.py").write_text(made)
    run = migrate(tmp_path, "--check", "--format", "json")
    assert "count" in [s["name"] for s in run.json["sites"]]
    (tmp_path / "two" / ".git").mkdir()
    (tmp_path / "one" / ".git").mkdir()
    run = migrate(tmp_path, "--check", "--format", "json")
    assert "count" not in [s["name"] for s in run.json["sites"]]


SCALA = (
    "import org.apache.spark.streaming.StreamingContext\n"
    "object Job { val ssc = new StreamingContext(conf, Seconds(1)) }\n"
)
PACKAGES = "spark.jars.packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8\n"


def test_jobs_in_scala_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    settings = {"job.py": JOB, "spark-defaults.conf": PACKAGES}
    root = write(tmp_path, p1={"Job.scala": SCALA}, p2=settings)
    assert codes(check(migrate, root), "p2/spark-defaults.conf") == [("D901", True)]
    # the settings of a project are for all of its jobs
    write(tmp_path, p2={"Job.scala": SCALA})
    assert codes(check(migrate, root), "p2/spark-defaults.conf") == [("D901", False)]


def test_python_of_another_project(migrate: Migrate, tmp_path: Path) -> None:
    settings = {"Job.scala": SCALA, "spark-defaults.conf": PACKAGES}
    root = write(tmp_path, p1={"job.py": JOB}, p2=settings)
    assert ("D901", True) not in codes(check(migrate, root), "p2/spark-defaults.conf")


@pytest.mark.parametrize("beside", ["README.md", "run_all.py", "requirements.txt"])
def test_a_file_beside_the_projects(migrate: Migrate, tmp_path: Path, beside: str) -> None:
    root = write(tmp_path, one={"job.py": PATCHED}, two={"job.py": BROKEN})
    (root / beside).write_text("")
    assert ("D102", True) in codes(check(migrate, root), "one/job.py")


def test_a_repository_around_the_projects(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root = write(tmp_path / "sub", one={"job.py": PATCHED}, two={"job.py": BROKEN})
    assert ("D102", True) in codes(check(migrate, root), "one/job.py")
    # seen from its top they are one
    assert ("D102", False) in codes(check(migrate, tmp_path), "sub/one/job.py")


def test_projects_far_down(migrate: Migrate, tmp_path: Path) -> None:
    write(tmp_path / "a/b/c/d/e", one={"job.py": PATCHED}, two={"job.py": BROKEN})
    assert ("D102", True) in codes(check(migrate, tmp_path), "a/b/c/d/e/one/job.py")
