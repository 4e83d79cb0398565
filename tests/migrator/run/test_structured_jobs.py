"""`--target structured`: what is written, and what the reports say."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
RESULT = """\
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.readStream.format("socket").option("host", "localhost").option("port", 9999).load()


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
"""


@pytest.fixture
def job(tmp_path: Path) -> Path:
    path = tmp_path / "tree" / "job.py"
    path.parent.mkdir()
    path.write_text(
        JOB.replace("SparkContext(), 1)", "sc, 1)").replace(
            "ssc =", "sc = SparkContext()\nssc =", 1
        )
    )
    return path


def test_the_result_is_plain_structured_streaming(migrate: Migrate, job: Path) -> None:
    run = migrate(str(job), "--target", "structured", "--in-place")
    assert run.code == 0
    assert job.read_text() == RESULT
    assert "1 as Structured Streaming" in run.out


def test_a_second_run_finds_nothing(migrate: Migrate, job: Path) -> None:
    migrate(str(job), "--target", "structured", "--in-place")
    run = migrate(str(job), "--target", "structured", "--in-place")
    assert run.code == 0
    assert job.read_text() == RESULT


def test_it_can_be_undone(migrate: Migrate, job: Path) -> None:
    before = job.read_text()
    migrate(str(job), "--target", "structured", "--in-place")
    migrate("undo", str(job))
    assert job.read_text() == before


def test_the_usual_target_stays_the_usual_one(migrate: Migrate, job: Path) -> None:
    migrate(str(job), "--in-place")
    assert "from dstream_compat import StreamingContext" in job.read_text()


def test_the_target_of_the_configuration(migrate: Migrate, job: Path) -> None:
    (job.parent / "pyproject.toml").write_text('[tool.migrate]\ntarget = "structured"\n')
    migrate(str(job), "--in-place")
    assert job.read_text() == RESULT


def test_the_command_line_decides(migrate: Migrate, job: Path) -> None:
    (job.parent / "pyproject.toml").write_text('[tool.migrate]\ntarget = "structured"\n')
    migrate(str(job), "--in-place", "--target", "compat")
    assert "dstream_compat" in job.read_text()


def test_an_unknown_target(migrate: Migrate, job: Path) -> None:
    (job.parent / "pyproject.toml").write_text('[tool.migrate]\ntarget = "flink"\n')
    run = migrate(str(job), "--check")
    assert run.code == 2
    assert "target = 'flink' is none of compat, structured" in run.err


def test_explain_shows_each_call(migrate: Migrate, job: Path) -> None:
    run = migrate(str(job), "--target", "structured", "--check", "--explain")
    assert '.socketTextStream("localhost", 9999)' in run.out
    assert "-> spark.readStream" in run.out
    assert "the source is for tests" in run.out


def test_a_function_that_stays_in_python_is_explained(migrate: Migrate, job: Path) -> None:
    text = job.read_text().replace(".pprint()", ".map(lambda x: float(x)).pprint()")
    job.write_text(text)
    run = migrate(str(job), "--target", "structured", "--check", "--explain")
    words = " ".join(run.out.split())
    assert '-> .select(to_value("value").alias("value"))' in words
    assert "a Python UDF of the same function, which has no expression: `float(x)`" in words
    assert "[FLOAT_TEXT]" in words
    migrate(str(job), "--target", "structured", "--check", "--report", str(job.parent / "r.json"))
    (file,) = json.loads((job.parent / "r.json").read_text())["files"]
    steps = {step["before"]: step["why"] for step in file["structured"]["steps"]}
    assert steps[".map(lambda x: float(x))"].startswith("a Python UDF of the same function")


@pytest.mark.parametrize("name", ["report.html", "report.md", "report.txt"])
def test_the_other_reports(migrate: Migrate, job: Path, tmp_path: Path, name: str) -> None:
    report = tmp_path / name
    run = migrate(str(job), "--target", "structured", "--check", "--report", str(report))
    assert run.code == 1
    text = report.read_text()
    assert "as Structured Streaming" in text or "Structured Streaming: " in text


def test_jobs_of_several_files_stay(migrate: Migrate, job: Path) -> None:
    (job.parent / "job.py").write_text(
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "import steps\nsc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
        "lines = ssc.socketTextStream('h', 1)\nlines.pprint()\nsteps.shown(lines)\nssc.start()\n"
    )
    (job.parent / "steps.py").write_text("def shown(lines):\n    lines.pprint()\n")
    run = migrate(str(job.parent), "--target", "structured", "--in-place")
    assert "[FILES]" in run.out
    assert "dstream_compat" in job.read_text()


def test_python2_jobs_are_rewritten_too(migrate: Migrate, job: Path) -> None:
    pytest.importorskip("fissix")
    job.write_text(job.read_text() + 'print "started"\n')
    migrate(str(job), "--target", "structured", "--in-place")
    assert job.read_text() == RESULT + 'print("started")\n'


def test_other_bytes_stay(migrate: Migrate, job: Path) -> None:
    extra = (
        "\n# \u00e9t\u00e9\nX = {'a' :1,\n 'b':2}   # spaces\n\n\n\n\ndef f( a ):\n    return a\n"
    )
    job.write_text(extra.lstrip("\n") + "\n" + job.read_text() + extra)
    migrate(str(job), "--target", "structured", "--in-place")
    text = job.read_text()
    assert text.endswith(extra)
    assert text.startswith(extra.lstrip("\n"))
    ast.parse(text)


def test_line_ends_stay(migrate: Migrate, job: Path) -> None:
    job.write_bytes(job.read_bytes().replace(b"\n", b"\r\n"))
    migrate(str(job), "--target", "structured", "--in-place")
    assert job.read_bytes() == RESULT.encode().replace(b"\n", b"\r\n")
