"""What stands for clients can be used as they are, and notes what it is given."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dstream_compat.testing import client_doubles
from dstream_compat.testing.client_calls import ClientCalls, as_rows
from dstream_compat.testing.client_doubles import ClientDouble, stand_for
from dstream_compat.testing.clients import used_clients
from dstream_compat.testing.values import readable
from tests.support.fenced import ROOT


@contextmanager
def doubles(clients: list[str]) -> Iterator[list[list[Any]]]:
    """Let something stand for clients, and give their calls; afterwards nothing stands for them."""
    found: list[list[Any]] = []
    modules = dict(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "meta_path", [*sys.meta_path])
        patch.setattr(client_doubles, "_note", None)
        stand_for(clients, lambda *call: found.append([*call]))
        yield found
    for name, module in [*sys.modules.items()]:
        if isinstance(module, client_doubles.DoubleModule):
            del sys.modules[name]
    # real clients that were imported before
    sys.modules.update(modules)


@pytest.fixture
def calls() -> Iterator[list[list[Any]]]:
    """The calls of clients in this process."""
    clients = ["redis", "mysql", "kafka", "pymongo", "cassandra", "elasticsearch", "happybase"]
    with doubles([*clients, "boto3", "psycopg2"]) as found:
        yield found


def run(program: str, calls: list[list[Any]]) -> list[str]:
    exec(program, {})
    return [readable(row) for row in as_rows(calls)]


@pytest.mark.parametrize(
    ("program", "last"),
    [
        (
            "import mysql.connector as c\n"
            "cursor = c.connect(host='h').cursor()\n"
            "cursor.executemany('INSERT', iter([(1, 'a')]))",
            "('mysql.connector.connect().cursor().executemany', 'INSERT', [(1, 'a')], "
            "of(connect=({'host': 'h'},)))",
        ),
        (
            "from kafka import KafkaProducer\n"
            "import json\n"
            "producer = KafkaProducer(value_serializer=lambda v: json.dumps(v).encode())\n"
            "producer.send('topic', {'a': 1}).get(timeout=10)",
            "('kafka.KafkaProducer().send().get', {'timeout': 10}, "
            "of(KafkaProducer=({'value_serializer': function(<lambda>)},), "
            "send=('topic', {'a': 1})))",
        ),
        (
            "from pymongo import MongoClient, UpdateOne\n"
            "MongoClient('h')['db'].words.insert_many([{'w': 'a'}])",
            "(\"pymongo.MongoClient()['db'].words.insert_many\", [{'w': 'a'}], "
            "of(MongoClient=('h',)))",
        ),
        (
            "from pymongo import MongoClient, UpdateOne\n"
            "MongoClient().db.words.bulk_write([UpdateOne({'w': 'a'}, {'$set': {'n': 0.5}})])",
            "('pymongo.MongoClient().db.words.bulk_write', "
            "[pymongo.UpdateOne()(UpdateOne=({'w': 'a'}, {'$set': {'n': 0.5}}))])",
        ),
        (
            "from cassandra.cluster import Cluster\n"
            "session = Cluster(['h']).connect('ks')\n"
            "session.execute(session.prepare('INSERT'), ('a', 1))",
            "('cassandra.cluster.Cluster().connect().execute', "
            "cassandra.cluster.Cluster().connect().prepare()(Cluster=(['h'],), connect=('ks',), "
            "prepare=('INSERT',)), ('a', 1), of(Cluster=(['h'],), connect=('ks',)))",
        ),
        (
            "from elasticsearch import Elasticsearch, helpers\n"
            "helpers.bulk(Elasticsearch(), ({'_id': n} for n in range(2)))",
            "('elasticsearch.helpers.bulk', client(elasticsearch.Elasticsearch()), "
            "[{'_id': 0}, {'_id': 1}])",
        ),
        (
            "import happybase\n"
            "with happybase.Connection('h').table('t').batch(batch_size=10) as batch:\n"
            "    batch.put(b'row', {b'f:c': b'1'})",
            "('happybase.Connection().table().batch().put', b'row', {b'f:c': b'1'}, "
            "of(Connection=('h',), table=('t',), batch=({'batch_size': 10},)))",
        ),
        (
            "import boto3, io\n"
            "boto3.client('s3').put_object(Bucket='b', Key='k', Body=io.BytesIO(b'x'))",
            "('boto3.client().put_object', {'Body': b'x', 'Bucket': 'b', 'Key': 'k'}, "
            "of(client=('s3',)))",
        ),
    ],
    ids=[
        "mysql",
        "kafka",
        "pymongo",
        "updates",
        "cassandra",
        "elasticsearch",
        "happybase",
        "boto3",
    ],
)
def test_clients(calls: list[list[Any]], program: str, last: str) -> None:
    assert run(program, calls)[-1] == last


def test_answers_and_errors(calls: list[list[Any]]) -> None:
    program = """
import redis
from redis.exceptions import ConnectionError, TimeoutError
client = redis.Redis()
try:
    assert client and not list(client.scan_iter()) and len(client.keys()) == 0
    assert client.execute().fetchall() == [] and client.execute().fetchone() is None
    assert int(client.incr("a")) == 0 and "x" not in client
    assert isinstance(client, redis.Redis)
    raise ConnectionError("mine")
except (ConnectionError, redis.RedisError):
    client.set("a", 1)
class Own(redis.Redis):
    pass
"""
    assert run(program, calls)[-1] == "('redis.Redis().set', 'a', 1)"


def test_they_are_pickled(calls: list[list[Any]]) -> None:
    import redis

    assert pickle.loads(pickle.dumps(redis)) is redis
    assert str(pickle.loads(pickle.dumps(redis.Redis()))) == "redis.Redis()"
    assert isinstance(redis.Redis(), ClientDouble)


def test_a_client_that_sends_nothing_has_no_rows(calls: list[list[Any]]) -> None:
    program = "import mysql.connector as c\nx = c.connect(host='h')\n"
    assert run(f"{program}x.cursor().executemany('I', [])\nx.commit()", calls) == []


def test_what_a_job_imports(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("def f():\n    from kafka import KafkaProducer\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "web.py").write_text("import urllib.request\n")
    job = tmp_path / "job.py"
    job.write_text("import helpers, package.web\nimport redis\nf.toPandas()\n")
    assert used_clients(job) == ["kafka", "pandas", "redis", "urllib"]
    job.write_text("import os, json\nfrom .redis import x\n")
    assert used_clients(job) == []
    assert used_clients(tmp_path / "nowhere.py") == []
    job.write_text("from redis import lookup\nimport boto3\n")
    (tmp_path / "redis.py").write_text("def lookup(key):\n    return key\n")
    assert used_clients(job) == ["boto3"]


@pytest.mark.slow
def test_frames_of_pandas_and_the_web(tmp_path: Path) -> None:
    program = """
import json, sys
from pathlib import Path
from dstream_compat.testing.client_calls import CALLS
CALLS.begin(["pandas", "sqlite3", "urllib"], Path("calls"))
with CALLS.of_a_function():
    import pandas, sqlite3, urllib.request
    frame = pandas.DataFrame({"w": ["a"], "n": [1]})
    frame.to_sql("words", sqlite3.connect("x.db"), index=False)
    frame.to_csv("own.csv", index=False)
    frame.to_csv("/nowhere/own.csv", index=False)
    assert frame.to_csv(index=False) == "w,n\\na,1\\n"
    request = urllib.request.Request("http://h/x", data=b"1", method="PUT")
    assert json.loads(urllib.request.urlopen(request).read()) == {}
print(json.dumps(CALLS.rows()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = {k: [*map(readable, v)] for k, v in json.loads(done.stdout).items()}
    frame = "[{'w': 'a', 'n': 1}]"
    assert rows["pandas"] == [
        f"('pandas.DataFrame.to_sql', {frame}, 'words', sqlite3.connect()(connect=('x.db',)), "
        "{'index': False})",
        f"('pandas.DataFrame.to_csv', {frame}, 'own.csv', {{'index': False}})",
        f"('pandas.DataFrame.to_csv', {frame}, '/nowhere/own.csv', {{'index': False}})",
    ]
    assert rows["urllib"][-1] == "('urllib.request.urlopen', ['PUT', 'http://h/x', b'1', {}])"
    assert (tmp_path / "own.csv").read_text() == "w,n\na,1\n"
    assert not (tmp_path / "x.db").exists()


def test_without_clients_nothing_changes(tmp_path: Path) -> None:
    none = ClientCalls()
    before = [*sys.meta_path]
    none.begin([], tmp_path / "calls")
    with none.of_a_function(), none.not_the_jobs():
        pass
    assert none.rows() == {}
    assert none.add_to({"a": "b"}) == {"a": "b"}
    assert sys.meta_path == before
    assert not (tmp_path / "calls").exists()


def test_real_clients_are_back_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ModuleType("redis")
    monkeypatch.setitem(sys.modules, "redis", real)
    monkeypatch.delitem(sys.modules, "boto3", raising=False)  # other tests may import it
    with doubles(["redis", "boto3"]):
        import boto3
        import redis

        assert isinstance(boto3, client_doubles.DoubleModule)
        assert isinstance(redis, client_doubles.DoubleModule)
    assert sys.modules["redis"] is real
    assert "boto3" not in sys.modules


def test_values_in_wrappers_belong_to_their_call(calls: list[list[Any]]) -> None:
    program = """
import psycopg2
from psycopg2.extras import Json
cursor = psycopg2.connect().cursor()
cursor.execute("INSERT", (1, Json({"n": FIRST})))
cursor.execute("INSERT", (2, Json({"n": SECOND})))
"""
    rows = []
    for numbers in (("1", "2"), ("2", "1")):
        calls.clear()
        text = program.replace("FIRST", numbers[0]).replace("SECOND", numbers[1])
        rows.append(sorted(run(text, calls)))
    assert rows[0] != rows[1]
    assert (
        "('psycopg2.connect().cursor().execute', 'INSERT', "
        "(2, psycopg2.extras.Json()(Json=({'n': 2},))))"
    ) in rows[0]


def test_a_call_belongs_to_the_place_that_was_chosen_before(calls: list[list[Any]]) -> None:
    program = "import happybase\nc = happybase.Connection()\n"
    first = run(f"{program}c.table('a').put(b'x')\nc.table('b').put(b'y')\n", calls)
    calls.clear()
    other = run(f"{program}c.table('a').put(b'y')\nc.table('b').put(b'x')\n", calls)
    assert sorted(first) != sorted(other)


def test_no_row_has_a_password(calls: list[list[Any]]) -> None:
    program = "import psycopg2\npsycopg2.connect(host='h', password='PASSWORD').cursor()"
    rows = []
    for password in ("s3cret", "s3cret", "other"):
        calls.clear()
        text = program.replace("PASSWORD", password)
        rows.append(run(f"{text}.execute('INSERT', (1,))", calls))
    assert "s3cret" not in str(rows)
    assert "s3cret" not in json.dumps(calls)
    assert rows[0] == rows[1] != rows[2]
    assert "connect=({'host': 'h', 'password': secret(" in rows[0][-1]


@pytest.mark.slow
def test_long_chains_stay_short(calls: list[list[Any]]) -> None:
    program = """
import redis
pipeline = redis.Redis("h").pipeline()
for number in range(COUNT):
    pipeline = pipeline.set(number, CHANGED if number == 20 else 1).expire(number)
pipeline.execute()
"""
    sizes = []
    for count, changed in ((1000, "1"), (2000, "1"), (2000, "2")):
        calls.clear()
        rows = run(program.replace("COUNT", str(count)).replace("CHANGED", changed), calls)
        sizes.append((len(json.dumps(calls)), rows[-1]))
    assert sizes[1][0] < 2.2 * sizes[0][0]
    # what came before still counts
    assert sizes[1][1] != sizes[2][1]
    assert sizes[1][1].startswith("('redis.Redis().pipeline().set().expire()")
