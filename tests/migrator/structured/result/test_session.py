"""What the session of a result gets of the contexts of a job: log level, folder of checkpoints."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

HEAD = """\
import sys

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

"""
JOB = (
    HEAD
    + """\
{session}
ssc = StreamingContext(sc, 5)
{body}
ssc.start()
ssc.awaitTermination()
"""
)
PLAIN = 'sc = SparkContext(appName="Job")'
OUTPUT = 'ssc.socketTextStream("localhost", 9999).pprint()'
CREATED = (
    HEAD
    + """\
def create():
    sc = SparkContext(appName="Job")
    ssc = StreamingContext(sc, 5)
    ssc.checkpoint({folder})
    lines = ssc.textFileStream("in")
    lines.pprint()
    {more}
    return ssc


ssc = {call}
ssc.start()
ssc.awaitTermination()
"""
)
RECOVERED = "StreamingContext.getOrCreate({folder}, create)"
COUNTS = "lines.map(lambda w: (w, 1)).updateStateByKey(lambda a, b: sum(a) + (b or 0)).pprint()"
SETTING = 'spark.conf.set("spark.sql.streaming.checkpointLocation", '


def result(text: str, name: str = "job") -> Rewritten:
    found = rewrite(text, name=name)
    assert isinstance(found, Rewritten), found
    return found


def created(folder: str, name: str, more: str = "pass", call: str = RECOVERED) -> str:
    text = CREATED.format(folder=folder, more=more, call=call.format(folder=folder))
    return result(text.replace("    pass\n", ""), name).text


@pytest.mark.parametrize("session", [PLAIN, 'sc = SparkContext("local[2]", "Job")'])
def test_a_log_level_is_a_setting(session: str) -> None:
    found = result(JOB.format(session=session, body=f'sc.setLogLevel("WARN")\n{OUTPUT}'))
    assert '.config("spark.log.level", "WARN")' in found.text
    assert "setLogLevel" not in found.text
    assert found.differences == ()


@pytest.mark.parametrize(
    ("session", "level"),
    [
        (PLAIN, "sys.argv[1]"),
        (
            'spark = SparkSession.builder.appName("Job").getOrCreate()\nsc = spark.sparkContext',
            '"WARN"',
        ),
        ("sc = SparkContext.getOrCreate()", '"WARN"'),
        ('sc = SparkContext.getOrCreate(SparkConf().setAppName("Job"))', '"WARN"'),
    ],
)
def test_a_log_level_that_is_set_later_stays(session: str, level: str) -> None:
    found = result(JOB.format(session=session, body=f"sc.setLogLevel({level})\n{OUTPUT}"))
    assert f"\nspark.sparkContext.setLogLevel({level})\n" in found.text
    assert any("Spark Connect" in each for each in found.differences)


def test_arguments_may_be_named() -> None:
    body = f'sc.setLogLevel(logLevel="WARN")\nssc.checkpoint(directory="cp")\n{OUTPUT}'
    found = result(JOB.format(session=PLAIN, body=body))
    assert '.config("spark.log.level", "WARN")' in found.text
    assert f'{SETTING}"cp")' in found.text


@pytest.mark.parametrize("folder", ['"checkpoint"', "sys.argv[1]", 'sys.argv[1] or "cp"'])
def test_a_job_that_starts_anew_has_new_folders(folder: str) -> None:
    text = result(JOB.format(session=PLAIN, body=f"ssc.checkpoint({folder})\n{OUTPUT}")).text
    assert f"\n{SETTING}{folder})\n" in text
    assert ".option(" not in text.partition("writeStream")[2]


def test_a_function_that_builds_a_job_starts_it_anew() -> None:
    text = created('"checkpoint"', "job", call="create()")
    assert f'\n    {SETTING}"checkpoint")\n' in text
    assert "checkpointLocation" not in text.partition("writeStream")[2]
    assert "file_modification_time" in text


@pytest.mark.parametrize(
    ("folder", "option"),
    [
        ('"checkpoint"', '"checkpoint/count_words"'),
        ('"hdfs:///tmp/cp/"', '"hdfs:///tmp/cp/count_words"'),
        ("sys.argv[1]", 'sys.argv[1] + "/count_words"'),
        (r'"C:\\temp\\new"', r'"C:\\temp\\new/count_words"'),
        (r'r"C:\temp\new"', r'"C:\\temp\\new/count_words"'),
        ("'a \"b\"'", r'"a \"b\"/count_words"'),
        ("'é\\n'", r'"é\n/count_words"'),
    ],
)
def test_a_job_that_goes_on_has_a_folder_of_its_own(folder: str, option: str) -> None:
    text = created(folder, "count_words")
    assert f'.option("checkpointLocation", {option})' in text
    assert SETTING not in text


@pytest.mark.parametrize("folder", [r'"C:\\temp\\new"', r'r"C:\temp\new"', "'a \"b\"'", "'é\\n'"])
def test_the_folder_of_a_job_is_in_that_of_the_contexts(folder: str) -> None:
    calls = [each for each in ast.walk(ast.parse(created(folder, "job"))) if _is_option(each)]
    (option,) = calls
    assert isinstance(option, ast.Call)
    assert ast.literal_eval(option.args[1]) == f"{ast.literal_eval(folder)}/job"


def _is_option(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="option"), args=[ast.Constant(value=name), _]):
            return name == "checkpointLocation"
    return False


def test_two_jobs_of_one_folder_do_not_meet() -> None:
    assert created('"checkpoint"', "one") != created('"checkpoint"', "other")


def test_each_query_of_a_job_that_goes_on_has_a_folder() -> None:
    text = created('"checkpoint"', "job", more=COUNTS)
    for each in ("lines", "lines_2"):
        assert f'.option("checkpointLocation", "checkpoint/job/{each}")' in text


def test_files_that_are_there_are_named_where_they_are_read() -> None:
    found = result(
        CREATED.format(folder='"cp"', more="", call=RECOVERED.format(folder='"cp"')), "job"
    )
    assert "file_modification_time" not in found.text
    assert any("line 11: the first batch of the first start" in each for each in found.differences)
