"""`--target structured`: what is written, and what the reports say."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import JOB, Run
from tests.support.structured.texts import without_head

Migrate = Callable[..., Run]
RESULT = """\
# Needs Spark 3.3 or newer.

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", 9999)
    .option("numPartitions", 1)
    .load()
)


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


@pytest.fixture
def job_of_rdds(job: Path) -> Path:
    """A job whose partitions no DataFrame has."""
    job.write_text(job.read_text().replace(".pprint()", ".glom().map(len).pprint()"))
    return job


def test_a_job_that_has_no_form_as_dataframes_is_classic(
    migrate: Migrate, job_of_rdds: Path
) -> None:
    run = migrate(str(job_of_rdds), "--target", "structured", "--check", "--explain")
    words = " ".join(run.out.split())
    assert "1 as Structured Streaming, 1 of them on classic Spark only" in words
    assert ".glom() -> .glom() the method of the same name of the RDD of the batch" in words
    assert ".glom().map(len); for record in records.take(11)[:10]: print(record) the same" in words
    migrate(str(job_of_rdds), "--target", "structured", "--in-place")
    assert ".glom().map(len)\n" in job_of_rdds.read_text()


def test_the_label_of_a_form(migrate: Migrate, job: Path, job_of_rdds: Path) -> None:
    other = job.with_name("other.py")
    other.write_text(job.read_text().replace(".glom().map(len)", ""))
    run = migrate(str(job.parent), "--target", "structured", "--check", "--format", "json")
    labels = {file["path"]: file["structured"]["form"] for file in run.json["files"]}
    assert labels == {"job.py": "classic", "other.py": "portable"}


def test_portable_keeps_a_job_of_rdds(migrate: Migrate, job_of_rdds: Path) -> None:
    run = migrate(str(job_of_rdds), "--target", "structured", "--portable", "--in-place")
    assert "[PARTITIONS]" in run.out
    assert "dstream_compat" in job_of_rdds.read_text()


@pytest.mark.parametrize("name", ["report.html", "report.md", "report.txt"])
def test_the_other_reports(migrate: Migrate, job: Path, tmp_path: Path, name: str) -> None:
    report = tmp_path / name
    run = migrate(str(job), "--target", "structured", "--check", "--report", str(report))
    assert run.code == 1
    text = report.read_text()
    assert "as Structured Streaming" in text or "Structured Streaming: " in text


@pytest.mark.parametrize("whole", [True, False])
def test_functions_of_batches_may_be_in_another_file(
    migrate: Migrate, tmp_path: Path, whole: bool
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    job = tree / "job.py"
    code = JOB.replace(".pprint()", ".foreachRDD(save)")
    job.write_text(f"from handlers import save\n{code}")
    (tree / "handlers.py").write_text("def save(rdd):\n    rdd.glom().foreach(print)\n")
    migrate(str(tree if whole else job), "--target", "structured", "--in-place")
    assert "    save(" in job.read_text()


def test_a_queue_that_stays_says_why_it_is_no_code_of_batches(
    migrate: Migrate, tmp_path: Path
) -> None:
    job = tmp_path / "job.py"
    code = JOB.replace('socketTextStream("localhost", 9999)', "queueStream([[1]], default=open(0))")
    job.write_text(code)
    run = migrate(str(job), "--target", "structured", "--check", "--format", "json")
    (found,) = [each for each in run.json["findings"] if each["code"] == "D860"]
    assert "the default of the queue is no RDD" in found["message"]
    run = migrate(str(job), "--target", "structured", "--check", "--format", "json", "--portable")
    messages = [each["message"] for each in run.json["findings"] if each["code"] == "D860"]
    assert any("[QUEUE]" in each for each in messages)


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("from kafka import lines\nlines.count()\n", True),
        ("import kafka\nkafka.lines.count()\n", True),
        ("import kafka\n", False),
        ("from pyspark.streaming.kafka import KafkaUtils\nlines = KafkaUtils\n", False),
    ],
)
def test_a_stream_that_another_file_imports_stays(
    migrate: Migrate, tmp_path: Path, line: str, stays: bool
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    code = JOB.replace("ssc.socket", "lines = ssc.socket").replace(".pprint()", "\nlines.pprint()")
    (tree / "kafka.py").write_text(code)
    (tree / "other.py").write_text(line)
    run = migrate(str(tree), "--target", "structured", "--in-place")
    assert ("`other.py` imports `lines`" in run.out) is stays
    assert ("readStream" in (tree / "kafka.py").read_text()) is not stays


def test_a_job_whose_context_no_file_makes_is_named_where_it_uses_streams(
    migrate: Migrate, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "main.py").write_text("import library\nimport streams\nstreams.run(library.make())\n")
    (tree / "streams.py").write_text(
        "from pyspark.streaming import StreamingContext\n\n\ndef run(ssc: StreamingContext):\n"
        '    ssc.socketTextStream("h", 1).pprint()\n    ssc.start()\n'
    )
    run = migrate(str(tree), "--target", "structured", "--check", "--notes", "--format", "json")
    (found,) = [each for each in run.json["findings"] if each["code"] == "D860"]
    assert (found["path"], found["message"].rpartition(" ")[2]) == ("streams.py", "[FILES]")
    assert run.json["files"][0]["jobs"] == ["main.py"]


def test_python2_jobs_are_rewritten_too(migrate: Migrate, job: Path) -> None:
    pytest.importorskip("fissix")
    job.write_text(job.read_text() + 'print "started"\n')
    migrate(str(job), "--target", "structured", "--in-place")
    assert job.read_text() == RESULT + 'print("started")\n'


@pytest.mark.parametrize("line", ["x: int = 1\n", "y = 0777  # migrate: ignore[D010]\n"])
def test_python2_jobs_that_are_kept_stay(migrate: Migrate, job: Path, line: str) -> None:
    job.write_text(f'{JOB}{line}print "started"\n')
    run = migrate(str(job), "--target", "structured", "--check", "--format", "json")
    assert run.code == 1
    (found,) = [f for f in run.json["findings"] if f["code"] == "D860"]
    assert found["line"] == 1
    assert "the job stays Python 2, in which its functions may give something" in found["message"]
    assert found["message"].endswith("[PYTHON2]")


def test_other_bytes_stay(migrate: Migrate, job: Path) -> None:
    extra = (
        "\n# \u00e9t\u00e9\nX = {'a' :1,\n 'b':2}   # spaces\n\n\n\n\ndef f( a ):\n    return a\n"
    )
    job.write_text(extra.lstrip("\n") + "\n" + job.read_text() + extra)
    migrate(str(job), "--target", "structured", "--in-place")
    text = job.read_text()
    assert text.endswith(extra)
    assert without_head(text).startswith(extra.lstrip("\n"))
    ast.parse(text)


def test_line_ends_stay(migrate: Migrate, job: Path) -> None:
    job.write_bytes(job.read_bytes().replace(b"\n", b"\r\n"))
    migrate(str(job), "--target", "structured", "--in-place")
    assert job.read_bytes() == RESULT.encode().replace(b"\n", b"\r\n")


OLD_SPARK = """\
import findspark
findspark.init({home})
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

conf = SparkConf().setAppName("Job").set("spark.jars.packages", "{package}")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()
ssc.start()
"""
OLD_PACKAGE = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
NEW_PACKAGE = "org.apache.spark:spark-sql-kafka-0-10_2.13:"


def old_spark(home: str = '"/opt/spark-2.4.4-bin-hadoop2.7"', package: str = OLD_PACKAGE) -> str:
    return OLD_SPARK.format(home=home, package=package)


def test_what_the_other_target_fixes_is_fixed(migrate: Migrate, job: Path) -> None:
    job.write_text(old_spark())
    run = migrate(str(job), "--target", "structured", "--in-place", "--format", "json")
    text = job.read_text()
    assert "findspark" not in text
    assert f'.config("spark.jars.packages", "{NEW_PACKAGE}' in text
    fixed = {f["code"] for f in run.json["findings"] if f["fixed"]}
    assert fixed >= {"D901", "D908"}
    migrate(str(job), "--target", "structured", "--in-place")
    assert job.read_text() == text


def test_python2_is_fixed_as_for_the_other_target(migrate: Migrate, job: Path) -> None:
    job.write_text(old_spark() + 'if {}.has_key("a"):\n    print("a")\n')
    migrate(str(job), "--target", "structured", "--in-place")
    assert 'if "a" in {}:' in job.read_text()
    assert "findspark" not in job.read_text()


@pytest.mark.parametrize("option", [["--ignore", "D908"], ["--select", "D901"]])
def test_a_rule_that_is_not_wanted_fixes_nothing(
    migrate: Migrate, job: Path, option: list[str]
) -> None:
    job.write_text(old_spark())
    migrate(str(job), "--target", "structured", "--in-place", *option)
    text = job.read_text()
    assert "findspark.init" in text
    assert NEW_PACKAGE in text


def test_a_line_that_is_left_out_stays(migrate: Migrate, job: Path) -> None:
    line = 'findspark.init("/opt/spark-2.4.4")'
    job.write_text(
        old_spark('"/opt/spark-2.4.4"').replace(line, f"{line}  # migrate: ignore[D908]")
    )
    migrate(str(job), "--target", "structured", "--in-place")
    assert line in job.read_text()
    assert NEW_PACKAGE in job.read_text()


def test_what_a_baseline_knows_is_not_shown_as_fixed(
    migrate: Migrate, job: Path, tmp_path: Path
) -> None:
    job.write_text(old_spark())
    known = tmp_path / "known.json"
    migrate(str(job), "--write-baseline", str(known), "--select", "D9")
    options = ("--check", "--baseline", str(known), "--format", "json")
    for target in ("compat", "structured"):
        run = migrate(str(job), "--target", target, *options)
        found = {f["code"]: f["fixed"] for f in run.json["findings"] if f["code"] > "D9"}
        assert found == {"D901": False, "D908": False}, target


def test_what_needs_consent_stays_a_finding(migrate: Migrate, job: Path) -> None:
    job.write_text(old_spark('"/usr/local/spark"'))
    run = migrate(str(job), "--target", "structured", "--check", "--format", "json")
    (found,) = [f for f in run.json["findings"] if f["code"] == "D908"]
    assert not found["fixed"]
    migrate(str(job), "--target", "structured", "--in-place", "--unsafe-fixes")
    assert "findspark" not in job.read_text()


def test_a_job_that_needs_no_fix_is_as_before(migrate: Migrate, job: Path) -> None:
    job.write_text(old_spark("", "org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.0"))
    migrate(str(job), "--target", "structured", "--in-place")
    assert "findspark.init()" in job.read_text()
    assert "kafka-0-10_2.13:4.1.0" in job.read_text()


def test_two_jobs_of_one_folder_have_folders_of_their_own(migrate: Migrate, job: Path) -> None:
    text = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
        "def create():\n    sc = SparkContext()\n    ssc = StreamingContext(sc, 1)\n"
        '    ssc.checkpoint("cp")\n    ssc.socketTextStream("localhost", 9999).pprint()\n'
        '    return ssc\n\n\nssc = StreamingContext.getOrCreate("cp", create)\nssc.start()\n'
    )
    job.write_text(text)
    (job.parent / "other-job.py").write_text(text)
    migrate(str(job.parent), "--target", "structured", "--in-place")
    assert '"checkpointLocation", "cp/job"' in job.read_text()
    assert '"checkpointLocation", "cp/other_job"' in (job.parent / "other-job.py").read_text()


FUNCTIONS = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def some(lines):
    return lines.filter(lambda line: line)


ssc = StreamingContext(SparkContext(), 1)
some(ssc.socketTextStream("localhost", 9999)).pprint()
ssc.start()
"""


@pytest.mark.parametrize(
    ("other", "moves"),
    [
        ("from job import some\nassert some([]) == []\n", False),
        ("import job\nssc = job.ssc\njob.some(ssc)\n", False),
        ("import jobs\nsome = 1\n", True),
        ("import json\nprint('some')\n", True),
    ],
)
def test_a_function_that_another_file_imports_keeps_the_job(
    migrate: Migrate, tmp_path: Path, other: str, moves: bool
) -> None:
    (tmp_path / "job.py").write_text(FUNCTIONS)
    (tmp_path / "other.py").write_text(f"from pyspark.streaming import DStream\n{other}")
    args = ["--target", "structured", "--check", "--format", "json", "--no-config", "--no-cache"]
    run = migrate(str(tmp_path), *args)
    (found,) = [file for file in run.json["files"] if file["path"] == "job.py"]
    assert (found["structured"] is not None) is moves
