"""Functions that are given the RDD of a batch, wherever they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.taken_code import surroundings
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

HANDLERS = """
import logging


def save(rdd):
    rdd.foreachPartition(print)


def stamped(time, rdd):
    logging.info("%s: %d", time, rdd.count())


def untimed(_, rdd):
    return rdd


def write(table, rdd, mode="append"):
    rdd.saveAsTextFile(table)


def odd(rdd, table="events"):
    pass


class Sink:
    def __init__(self, name):
        self.name = name

    def save(self, time, rdd):
        print(self.name, rdd.count())

    def both(self, one, other):
        return one.union(other)
"""
JOB = """
import functools
from functools import partial

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

import handlers
import requests
from handlers import Sink, odd, save, stamped, untimed, write


class Own:
    def __init__(self):
        self.seen = 0

    def at(self, time, rdd):
        print(time, rdd.count())

    def add(self, rdd):
        self.seen += rdd.count()

    def __call__(self, time, rdd):
        print(rdd.count())

    @staticmethod
    def save(rdd):
        print(rdd.count())

    @staticmethod
    def same(rdd):
        return rdd


def local(name, rdd):
    print(name, rdd.count())


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, 1)
sink, own = Sink("x"), Own()
lines = ssc.socketTextStream("localhost", 9999)
{code}
ssc.start()
ssc.awaitTermination()
"""
NOW = "batch_time"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    (tmp_path / "handlers.py").write_text(HANDLERS)
    return tmp_path / "job.py"


def rewritten(job: Path, code: str, unsafe: bool = False) -> Rewritten | Reason | None:
    return rewrite(JOB.format(code=code), unsafe, batch_code=True, around=surroundings(job))


def notes_of(made: Rewritten | Reason | None) -> list[str]:
    assert isinstance(made, Rewritten)
    return [each for each in made.differences if "Spark could not call" in each]


@pytest.mark.parametrize(
    ("function", "call"),
    [
        ("save", "save(lines)"),
        ("handlers.save", "handlers.save(lines)"),
        ("untimed", f"untimed({NOW}, lines)"),
        ("sink.save", f"sink.save({NOW}, lines)"),
        ("Own.save", "Own.save(lines)"),
        ("own.at", f"own.at({NOW}, lines)"),
    ],
)
def test_what_spark_could_call(job: Path, function: str, call: str) -> None:
    made = rewritten(job, f"lines.foreachRDD({function})")
    assert isinstance(made, Rewritten), made
    assert f"\n    {call}\n" in made.text
    assert "intervals without input, too, for `foreachRDD`" in " ".join(made.differences)
    assert notes_of(made) == []


@pytest.mark.parametrize(
    ("function", "call", "what"),
    [
        ("own.add", "own.add(lines)", "a bound method"),
        ("own", f"own({NOW}, lines)", "an object"),
        ("partial(write, 'users')", "write('users', lines)", "a partial"),
        ("partial(write, 't', mode='x')", "write('t', lines, mode='x')", "a partial"),
        ("functools.partial(local, 1)", "local(1, lines)", "a partial"),
        ("functools.partial(sink.save)", f"sink.save({NOW}, lines)", "a partial"),
    ],
)
def test_what_spark_could_not_call_is_named(job: Path, function: str, call: str, what: str) -> None:
    made = rewritten(job, f"lines.foreachRDD({function})")
    assert isinstance(made, Rewritten), made
    assert f"\n    {call}\n" in made.text
    (note,) = notes_of(made)
    assert note.endswith(f"`{function}`, {what}; it is called now")


def test_functions_of_transform(job: Path) -> None:
    made = rewritten(
        job,
        "same = lines.transform(untimed)\n"
        "same.transformWith(sink.both, lines).pprint()\nlines.transform(Own.same).pprint()",
    )
    assert isinstance(made, Rewritten), made
    assert f"    same = untimed({NOW}, lines)" in made.text
    assert "    records = sink.both(same, lines)\n" in made.text
    assert "    records = Own.same(lines)\n" in made.text


def test_a_time_that_another_file_uses_needs_consent(job: Path) -> None:
    code = "lines.foreachRDD(stamped)"
    made = rewritten(job, code)
    assert isinstance(made, Reason)
    assert made.code == "BATCH_TIME"
    freer = rewritten(job, code, unsafe=True)
    assert isinstance(freer, Rewritten)
    assert f"    stamped({NOW}, lines)\n" in freer.text
    assert any("`time` is the time of the batch" in each for each in freer.differences)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("odd", "PARAMETERS"),
        ("print", "PARAMETERS"),
        ("partial(local, name='x')", "PARAMETERS"),
        ("Own.at", "NO_SOURCE"),
        ("requests.post", "NO_SOURCE"),
        ("handlers.nothing", "NO_SOURCE"),
        ("partial(requests.post, 'url')", "NO_SOURCE"),
    ],
)
def test_what_keeps_a_job_as_it_is(job: Path, function: str, reason: str) -> None:
    made = rewritten(job, f"lines.foreachRDD({function})")
    assert isinstance(made, Reason), made
    assert made.code == reason


def test_without_its_place_no_other_module_is_read() -> None:
    made = rewrite(JOB.format(code="lines.foreachRDD(save)"), batch_code=True)
    assert isinstance(made, Reason)
    assert made.code == "NO_SOURCE"
