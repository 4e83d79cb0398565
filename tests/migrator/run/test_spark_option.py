"""`--spark VERSION`: what results need is told, and kept to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.structured.rewrite import Rewritten
from tests.support.migrator.runs import JOB, Run
from tests.support.structured.udf_jobs import job, result

Migrate = Callable[..., Run]
OLD = ("--target", "structured", "--spark", "3.5")
CONTEXT = ("SparkContext(), 1)", "sc, 1)"), ("ssc =", "sc = SparkContext()\nssc =")
STATE = """\
def last(new, old):
    return new[-1] if new else old


pairs = lines.map(lambda line: (line, line))
pairs.updateStateByKey(last).pprint()
"""
COUNT = "def number(line):\n    return int(line) if line.isdigit() else 0\n"


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a job, with changes."""
    path = folder / "job.py"
    text = JOB
    for old, new in (*CONTEXT, *changes):
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)
    return path


@pytest.mark.slow
def test_what_a_result_needs_is_told(migrate: Migrate, tmp_path: Path) -> None:
    path = written(tmp_path, (".pprint()", '.map(lambda x: x.split(",")[0]).pprint()'))
    run = migrate(path, "--target", "structured", "--check", "--explain")
    assert "job.py as Structured Streaming (portable, Spark 4.0 or newer)" in run.out
    assert "1 as Structured Streaming, 1 from Spark 4.0 on" in " ".join(run.out.split())
    run = migrate(path, "--target", "structured", "--check", "--format", "json")
    assert [each["structured"]["spark"] for each in run.json["files"]] == ["4.0"]
    page = tmp_path / "report.html"
    migrate(path, "--target", "structured", "--check", "--report", page)
    assert "(portable, Spark 4.0 or newer)" in page.read_text()
    assert migrate(path, "--target", "structured", "--in-place").code == 0
    assert path.read_text().startswith("# Needs Spark 4.0 or newer.\n\n")
    assert "ansi" not in path.read_text()


def test_an_older_spark_is_told_to_raise(migrate: Migrate, tmp_path: Path) -> None:
    path = written(tmp_path, (".pprint()", '.map(lambda x: x.split(",")[0]).pprint()'))
    assert migrate(path, *OLD, "--in-place").code == 0
    text = path.read_text()
    assert text.startswith("# Needs Spark 3.3 or newer.\n\n")
    assert '.config("spark.sql.ansi.enabled", "true")' in text


def test_sql_of_the_job_itself_keeps_its_meaning() -> None:
    body = """lines.map(lambda line: line.split(",")[0]).foreachRDD(show)"""
    code = job("def show(rdd):\n    spark.sql('SELECT 1').show()\n    print(rdd.take(3))\n", body)
    found = result(code, unsafe=True, spark=(3, 5))
    assert any("`sql` of the job raises where it gave NULL" in e for e in found.differences)
    found = result(code, batch_code=True, spark=(3, 5))
    assert "ansi" not in found.text


@pytest.mark.slow
def test_a_state_is_kept_by_code_of_batches(migrate: Migrate, tmp_path: Path) -> None:
    source = 'ssc.socketTextStream("localhost", 9999)'
    path = written(
        tmp_path, (f"{source}.pprint()", f'ssc.checkpoint("c")\nlines = {source}\n{STATE}')
    )
    arguments = (path, "--target", "structured", "--check", "--format", "json")
    for spark, expected in (("3.3", "3.3"), ("3.5", "3.3"), ("4.0", "3.3"), ("4.1", "4.1")):
        (file,) = migrate(*arguments, "--spark", spark).json["files"]
        form = "classic" if spark < "4.1" else "portable"
        assert (file["structured"]["form"], file["structured"]["spark"]) == (form, expected)
    run = migrate(*arguments, "--spark", "4.0", "--portable")
    (found,) = [each for each in run.json["findings"] if each["code"] == "D860"]
    assert found["message"].endswith(
        "`updateStateByKey`, by `transformWithState`, needs Spark 4.1, and the result is for 4.0 "
        "[SPARK]"
    )
    assert found["line"] == next(
        number
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if "updateStateByKey" in line
    )


def test_a_udf_of_integers_without_a_bound_is_code_of_batches() -> None:
    code = job(COUNT, "lines.map(number).pprint()")
    assert "useArrow=True" in result(code, unsafe=True).text
    assert result(code, unsafe=True).spark == (4, 0)
    found = result(code, unsafe=True, batch_code=True, spark=(3, 5))
    assert isinstance(found, Rewritten)
    assert ".map(number)" in found.text


def test_a_log_level_is_no_setting_of_an_older_spark(migrate: Migrate, tmp_path: Path) -> None:
    path = written(tmp_path, ("sc = SparkContext()", 'sc = SparkContext()\nsc.setLogLevel("WARN")'))
    before = path.read_text()
    migrate(path, "--target", "structured", "--spark", "3.4", "--in-place")
    assert 'spark.sparkContext.setLogLevel("WARN")' in path.read_text()
    path.write_text(before)
    migrate(path, *OLD, "--in-place")
    assert '.config("spark.log.level", "WARN")' in path.read_text()
    assert path.read_text().startswith("# Needs Spark 3.5 or newer.\n")


def test_the_setting_of_a_project(migrate: Migrate, tmp_path: Path) -> None:
    path = written(tmp_path, (".pprint()", '.map(lambda x: x.split(",")[0]).pprint()'))
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.migrate]\ntarget = "structured"\nspark = "3.5"\n')
    assert migrate(path, "--diff", "--spark", "4.2").out.count("ansi") == 0
    assert "spark.sql.ansi.enabled" in migrate(path, "--diff").out
    settings.write_text('[tool.migrate]\nspark = "3.2"\n')
    assert "spark: '3.2' is no Spark that results can be for" in migrate(path, "--check").err
    settings.write_text("[tool.migrate]\nspark = 3.5\n")
    assert 'write spark = "3.5"' in migrate(path, "--check").err


@pytest.mark.parametrize("given", ["", "3", "2.4", "3.5.1", "5.0", "latest"])
def test_another_version_is_an_error(migrate: Migrate, tmp_path: Path, given: str) -> None:
    run = migrate(written(tmp_path), "--target", "structured", "--check", "--spark", given)
    assert run.code == 2
    assert f"--spark: {given!r} is no Spark that results can be for: 3.3, 3.4, 3.5" in run.err
