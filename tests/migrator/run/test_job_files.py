"""Which programs are jobs, and which files they consist of."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.cache import Cache
from migrator.run.scan import scan
from tests.support.migrator.reports import project

HEAD = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
MAKE = f"{HEAD}ssc = StreamingContext(SparkContext(), 1)\nssc.socketTextStream('a', 1).pprint()\n"
JOB = f"{MAKE}ssc.start()\n"
ENGINE = (
    f"{HEAD}def run(wire):\n    ssc = StreamingContext(SparkContext(), 1)\n    wire(ssc)\n"
    "    ssc.start()\n"
)
USER = (
    "from engine import run\ndef wire(ssc):\n    ssc.socketTextStream('a', 1).pprint()\nrun(wire)\n"
)
GUARDED = f"{ENGINE}if __name__ == '__main__':\n    run(print)\n"
TEST = "import unittest\nfrom job import ssc\n\ndef test_it():\n    ssc.stop()\n"
SCALA = (
    "import org.apache.spark.streaming.StreamingContext\n"
    "object A { val ssc = new StreamingContext(conf, s)\nssc.start() }\n"
)

CASES: list[tuple[dict[str, str], dict[str, tuple[str, ...]]]] = [
    ({"job.py": JOB}, {"job.py": ("job.py",)}),
    # a module that starts the context for others is no job
    (
        {"engine.py": ENGINE, "a.py": USER, "b.py": USER},
        {"engine.py": ("a.py", "b.py"), "a.py": ("a.py",), "b.py": ("b.py",)},
    ),
    # not even if they do not mention streams
    (
        {"engine.py": ENGINE, "main.py": "import engine\nengine.run(print)\n"},
        {"engine.py": ("main.py",)},
    ),
    ({"engine.py": ENGINE}, {"engine.py": ("engine.py",)}),
    # one that runs by itself is, whoever imports it
    (
        {"engine.py": GUARDED, "a.py": USER},
        {"engine.py": ("a.py", "engine.py"), "a.py": ("a.py",)},
    ),
    # a name that is taken from a job makes no job
    ({"job.py": JOB, "setup.py": "from job import ssc\n"}, {"job.py": ("job.py",)}),
    # nor does a test
    ({"job.py": JOB, "test_job.py": TEST}, {"job.py": ("job.py",), "test_job.py": ()}),
    (
        {"engine.py": ENGINE, "test_e.py": "import pytest\nfrom engine import run\nrun(print)\n"},
        {"engine.py": ("engine.py",)},
    ),
    # a job that is only called a test is one
    ({"test.py": JOB}, {"test.py": ("test.py",)}),
    # nothing starts
    ({"make.py": MAKE}, {"make.py": ()}),
    ({"job.py": JOB, "make.py": MAKE}, {"job.py": ("job.py",), "make.py": ()}),
    # modules that import each other
    (
        {"a.py": f"import b\n{ENGINE}", "b.py": f"import a\n{MAKE}"},
        {"a.py": ("a.py",), "b.py": ("a.py",)},
    ),
    # a package between them
    (
        {
            "main.py": "from app.run import go\ngo()\n",
            "app/__init__.py": "",
            "app/run.py": f"from app.steps import wire\n{ENGINE}def go():\n    run(wire)\n",
            "app/steps.py": "def wire(ssc):\n    ssc.socketTextStream('a', 1).pprint()\n",
        },
        {"app/run.py": ("main.py",), "app/steps.py": ("main.py",)},
    ),
    ({"broken.py": f"{JOB}x = = 1\n"}, {"broken.py": ("broken.py",)}),
    ({"broken.py": f"{MAKE}x = = 1\n"}, {"broken.py": ()}),
    ({"A.scala": SCALA}, {"A.scala": ("A.scala",)}),
    ({"A.scala": SCALA.replace("ssc.start()", "")}, {"A.scala": ()}),
    ({"job.py": JOB, "run.sh": "spark-submit --jars spark-streaming-kafka.jar job.py\n"},
     {"job.py": ("job.py",), "run.sh": ()}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), CASES)
def test_jobs_of_files(
    tmp_path: Path, files: dict[str, str], expected: dict[str, tuple[str, ...]]
) -> None:
    found = {file.path: file.jobs for file in project(tmp_path, files).files}
    assert found == expected


def test_they_are_kept_with_the_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIGRATE_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "tree"
    project(root, {"engine.py": ENGINE, "a.py": USER})
    found = []
    for _ in range(2):
        found.append({f.path: f.jobs for f in scan(root, "check", cache=Cache(root)).files})
    assert found[0] == found[1] == {"engine.py": ("a.py",), "a.py": ("a.py",)}
    (root / "a.py").unlink()
    (found_alone,) = scan(root, "check", cache=Cache(root)).files
    assert found_alone.jobs == ("engine.py",)


def test_a_file_by_itself_may_start_its_context_elsewhere(tmp_path: Path) -> None:
    project(tmp_path, {"engine.py": ENGINE, "a.py": USER, "b.py": MAKE})
    for name, expected in (("a.py", ("a.py",)), ("b.py", ())):
        (file,) = scan(tmp_path / name, "check").files
        assert file.jobs == expected
