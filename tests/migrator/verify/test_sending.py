"""What jobs send by clients is compared, call by call; nothing is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.testing.results import Results
from dstream_compat.testing.values import readable
from migrator.verify.check import migrate_copy
from migrator.verify.comparison import Comparison, Rules, compare
from migrator.verify.obstacles import limits
from migrator.verify.process import COMPAT, DSTREAMS, STRUCTURED
from tests.support.migrator.proof_runs import Runs

pytestmark = pytest.mark.slow

JOB = Path(__file__).parent / "planted" / "stores.py"
INPUT: dict[str, Any] = {
    "sources": {"socket:9999": {}},
    "batches": [{"socket:9999": ["a", "b", "a", "c"]}, {}, {"socket:9999": ["d"]}],
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    made = Runs(tmp_path_factory.mktemp("sending"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def old(runs: Runs) -> Results:
    return runs.outcome("old", DSTREAMS, JOB, INPUT, streams=False)


def changed(runs: Runs, folder: Path, *change: str) -> Results:
    text = JOB.read_text(encoding="utf-8").replace("pyspark.streaming", "dstream_compat")
    if change:
        assert change[0] in text
        text = text.replace(*change)
    new = folder / "new.py"
    new.write_text(text, encoding="utf-8")
    return runs.outcome(" ".join(change) or "new", COMPAT, new, INPUT, streams=False)


def compared(old: Results, new: Results) -> Comparison:
    return compare(old, new, Rules(), 3)


def calls(found: Results, name: str, batch: int) -> list[str]:
    (number,) = [n for n, one in enumerate(found.outputs) if one.name.startswith(name)]
    return [readable(row) for row in found.rows(batch, number)]


def test_what_is_recorded(old: Results) -> None:
    assert old.end == "stopped", old.error
    assert old.header["clients"] == ["psycopg2", "redis", "requests", "urllib"]
    server = "of(Redis=({'host': 'cache', 'port': 6379},))"
    redis = calls(old, "calls of redis", 3)
    assert redis == [
        "('redis.Redis', {'host': 'cache', 'port': 6379})",
        f"('redis.Redis().pipeline', {server})",
        f"('redis.Redis().pipeline().execute', {server})",
        f"('redis.Redis().pipeline().set', 'd', 1, {server})",
        f"('redis.Redis().pipeline().expire', 'd', 60, {server})",
    ]
    assert sum("().set'" in one for one in calls(old, "calls of redis", 1)) == 3
    given = "connect=({'dbname': 'words', 'host': 'db'},)"
    assert calls(old, "calls of psycopg2", 3) == [
        "('psycopg2.connect', {'dbname': 'words', 'host': 'db'})",
        f"('psycopg2.connect().autocommit=', False, of({given}))",
        f"('psycopg2.connect().cursor', of({given}))",
        f"('psycopg2.connect().commit', of({given}))",
        f"('psycopg2.connect().close', of({given}))",
        f"('psycopg2.extras.execute_values', psycopg2.connect().cursor()({given}), "
        "'INSERT INTO words VALUES %s', [('d', 1)])",
    ]
    posts = [one for one in old.outputs if one.name.startswith("calls of requests")]
    assert len(posts) == 2
    assert calls(old, "calls of urllib", 1)[-1] == (
        "('urllib.request.urlopen', 'http://web/total', {'data': b'3'})"
    )
    assert old.uncounted == []


def test_a_job_that_sends_the_same(runs: Runs, old: Results, tmp_path: Path) -> None:
    new = changed(runs, tmp_path)
    found = compared(old, new)
    assert [(one.batch, one.pair.name, one.what) for one in found.differences] == []
    assert sum(pair.kind == "calls" for pair in found.pairs) == 5
    notes = "\n".join(limits(old, new, found, order=False))
    assert "calls of psycopg2, redis, requests, urllib in functions of batches were" in notes
    assert "not compared: calls of" not in notes


@pytest.mark.parametrize(
    ("client", "change"),
    [
        ("redis", ("pipeline.set(word, count)", "pipeline.set(word, count + 1)")),
        ("redis", ("        pipeline.expire(word, 60)\n", "")),
        ("redis", ('host="cache"', 'host="other"')),
        ("psycopg2", ("        connection.commit()\n", "")),
        ("psycopg2", ("[*pairs])", "[*pairs][:1])")),
        ("requests", ('"count": count}', '"count": str(count)}')),
        ("requests", ("data=pair[0]", "data=pair[0] + '!'")),
        ("urllib", ("rdd.count()", "rdd.count() + 1")),
        # no shuffle comes before it, so its order is promised
        ("requests", ("map(alone)", "mapPartitions(lambda part: map(alone, [*part][::-1]))")),
    ],
    ids=lambda value: value if isinstance(value, str) else value[1] or value[0].strip(),
)
def test_a_job_that_sends_something_else(
    runs: Runs, old: Results, tmp_path: Path, client: str, change: tuple[str, str]
) -> None:
    first = compared(old, changed(runs, tmp_path, *change)).first()
    assert first is not None
    assert first.batch == 1
    assert first.pair.name.startswith(f"calls of {client} by foreachRDD at stores.py:")


def test_the_order_behind_a_shuffle_does_not_count(
    runs: Runs, old: Results, tmp_path: Path
) -> None:
    assert compared(old, changed(runs, tmp_path, "[*pairs])", "[*pairs][::-1])")).first() is None


def test_a_query_sends_the_same(runs: Runs, old: Results, tmp_path: Path) -> None:
    job = migrate_copy(JOB, STRUCTURED, tmp_path).job
    new = runs.outcome("query", STRUCTURED, job, INPUT, streams=False)
    found = compared(old, new)
    assert [(one.batch, one.pair.name, one.what) for one in found.differences] == []
    assert new.uncounted == []
    # one function of the query calls for two of DStreams
    assert "calls of requests" in [pair.name for pair in found.pairs]
    text = job.read_text(encoding="utf-8")
    job.write_text(text.replace("data=pair[0]", "data=pair[0].upper()"), encoding="utf-8")
    wrong = runs.outcome("wrong query", STRUCTURED, job, INPUT, streams=False)
    first = compared(old, wrong).first()
    assert first is not None
    assert (first.batch, first.pair.name) == (1, "calls of requests")


OTHER = """\
import redis
import requests
from pymongo import MongoClient, UpdateOne
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def to_mongo(pairs):
    updates = [UpdateOne({"word": word}, {"$set": {"count": count}}) for word, count in pairs]
    MongoClient("store").db.words.bulk_write(updates)


def note(word):
    redis.Redis().incr(word)
    return word


def look(word):
    requests.post("http://web/look", data=word)
    return word


def noted(rdd):
    rdd.map(note).cache().foreachPartition(list)


ssc = StreamingContext(SparkContext(appName="others"), 1)
words = ssc.socketTextStream("localhost", 9999)
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(lambda rdd: rdd.foreachPartition(to_mongo))
words.foreachRDD(noted)
words.map(look).pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_values_in_updates_and_calls_that_are_not_compared(runs: Runs, tmp_path: Path) -> None:
    job = tmp_path / "others.py"
    job.write_text(OTHER, encoding="utf-8")
    old = runs.outcome("others", DSTREAMS, job, INPUT, streams=False)
    assert old.end == "stopped", old.error
    (update,) = [one for one in calls(old, "calls of pymongo", 3) if "bulk_write" in one]
    assert "[pymongo.UpdateOne()(UpdateOne=({'word': 'd'}, {'$set': {'count': 1}}))]" in update

    found = {}
    for change in ("count}", "count + 1}"):
        text = OTHER.replace("pyspark.streaming", "dstream_compat").replace("count}", change)
        job.write_text(text, encoding="utf-8")
        new = runs.outcome(f"others {change}", COMPAT, job, INPUT, streams=False)
        found[change] = new, compared(old, new)

    new, comparison = found["count}"]
    assert comparison.first() is None
    # those of a cached RDD, which is computed when its records are read, and those of a stream
    assert old.uncounted == new.uncounted == ["redis", "requests"]
    notes = "\n".join(limits(old, new, comparison, order=False))
    assert "not compared: calls of redis, requests that were answered outside of functions" in notes
    first = found["count + 1}"][1].first()
    assert first is not None
    assert first.pair.name.startswith("calls of pymongo by foreachRDD at others.py:")


def test_calls_in_functions_of_streams_are_not_compared(runs: Runs, tmp_path: Path) -> None:
    job = tmp_path / "sends_in_map.py"
    job.write_text(
        """import redis
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def send(line):
    redis.Redis(host="cache").set("last", line)
    return len(line)


sc = SparkContext(appName="SendsInMap")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).map(send).pprint()
ssc.start()
ssc.awaitTermination()
""",
        encoding="utf-8",
    )
    old = runs.outcome("sends in map", DSTREAMS, job, INPUT, streams=False)
    assert old.uncounted == ["redis"]
    moved = migrate_copy(job, STRUCTURED, tmp_path / "moved").job
    new = runs.outcome("query that sends in map", STRUCTURED, moved, INPUT, streams=False)
    assert any(one.name.startswith("calls of redis") for one in new.outputs)
    found = compared(old, new)
    assert [(one.batch, one.pair.name, one.what) for one in found.differences] == []
    notes = "\n".join(limits(old, new, found, order=False))
    assert "not compared: calls of redis that were answered outside of functions" in notes
