"""What two jobs have written is compared by batch, by key, and as it is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dstream_compat.testing.session import local_session
from migrator.errors import MigrateError
from migrator.reconcile.matching import Differences, Matching, compare, show
from migrator.reconcile.sides import side_of
from tests.support.fenced import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    # other tests of this process go on with its Spark, so the one of the command is not made here
    made = local_session().newSession()
    made.conf.set("spark.sql.shuffle.partitions", "2")
    made.conf.set("spark.sql.session.timeZone", "UTC")
    log = tmp_path_factory.mktemp("spark") / "derby.log"
    java: Any = made._jvm
    java.java.lang.System.setProperty("derby.stream.error.file", str(log))
    return made


def write_batches(prefix: Path, batches: dict[int, Sequence[str]]) -> None:
    """Write text as saveAsTextFiles does."""
    for time, lines in batches.items():
        folder = prefix.with_name(f"{prefix.name}-{time}")
        folder.mkdir(parents=True)
        (folder / "_SUCCESS").touch()
        for part in range(2):
            text = "".join(f"{line}\n" for line in lines[part::2])
            (folder / f"part-0000{part}").write_text(text)


def of(spark: SparkSession, left: Any, right: Any, **asked: Any) -> Differences:
    given = [side_of(str(one), {}) for one in (left, right)]
    return compare(spark, *given, asked=Matching(**asked))


def counts(found: Differences) -> tuple[int, int, int, int]:
    return found.both, found.only_left, found.only_right, found.differing


def test_batches_of_text(spark: SparkSession, tmp_path: Path) -> None:
    left, right = tmp_path / "old" / "counts", tmp_path / "new" / "counts"
    write_batches(left, {1000: ["('a', 1)", "('b', 2)", "('b', 2)"], 2000: [], 3000: ["('c', 3)"]})
    write_batches(right, {1000: ["('b', 2)", "('a', 1)", "('b', 2)"], 2000: [], 3000: ["('c', 4)"]})
    # another prefix, and a batch that is being written
    write_batches(left.with_name("counts-more"), {1000: ["x"]})
    (right.parent / "counts-4000" / "_temporary").mkdir(parents=True)
    found = of(spark, left, f"text:{right}")
    assert counts(found) == (3, 1, 1, 0)
    assert found.first_batch == 3000
    assert found.examples["only_left"] == [{"batch": 3000, "value": "('c', 3)"}]
    assert found.examples["only_right"] == [{"batch": 3000, "value": "('c', 4)"}]


def test_batches_that_one_job_has_not_reached(spark: SparkSession, tmp_path: Path) -> None:
    left, right = tmp_path / "old", tmp_path / "new"
    write_batches(left, {1000: ["early"], 2000: ["a"], 3000: []})
    write_batches(right, {2000: ["a"], 3000: [], 4000: ["late", "later"]})
    found = of(spark, left, right)
    assert found.is_equal
    assert (found.both, found.outside) == (1, (1, 2))
    assert counts(of(spark, left, right, whole=True)) == (1, 1, 2, 0)


def test_a_job_that_has_stopped_giving_rows_is_different(
    spark: SparkSession, tmp_path: Path
) -> None:
    left, right = tmp_path / "old", tmp_path / "new"
    write_batches(left, {1000: ["a"], 2000: ["b"]})
    write_batches(right, {1000: ["a"], 2000: []})
    assert counts(of(spark, left, right)) == (1, 1, 0, 0)


def test_rows_near_the_border_of_an_interval(spark: SparkSession, tmp_path: Path) -> None:
    left, right = tmp_path / "old", tmp_path / "new"
    write_batches(left, {1000: ["a", "x", "x"], 2000: ["b"], 3000: ["c"], 9000: ["d"]})
    write_batches(right, {1000: ["x"], 2000: ["a", "b", "x"], 3000: ["d"], 9000: ["c"]})
    assert counts(of(spark, left, right)) == (2, 4, 4, 0)
    found = of(spark, left, right, border=1.0)
    assert counts(found) == (4, 2, 2, 0)
    assert found.moved == 2
    assert of(spark, left, right, border=6.0).is_equal


ROWS = "(1, 'a', 1.0D), (2, 'b', 2.0D), (3, 'c', NULL), (4, 'd', 4.0D)"
CHANGED = "(1, 'a', 1.000000000001D), (2, 'b', 2.5D), (3, 'c', NULL), (5, 'e', 5.0D)"


def named(value: Any) -> Any:
    """Rows with names in small letters, as a database may have others."""
    if isinstance(value, list):
        return [named(one) for one in value]
    if isinstance(value, dict):
        return {name.lower(): named(one) for name, one in value.items()}
    return value


@pytest.mark.parametrize("kind", ["parquet", "json", "jdbc"])
def test_keys(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    names = []
    for side, rows in (("old", ROWS), ("new", CHANGED)):
        frame = spark.sql(f"SELECT * FROM VALUES {rows} AS x(id, word, amount)")
        path = tmp_path / side
        if kind == "jdbc":
            # Derby comes with Spark, and writes its names in capital letters
            url = f"jdbc:derby:{path};create=true"
            properties = {"driver": "org.apache.derby.jdbc.EmbeddedDriver"}
            frame.write.jdbc(url, "words", properties=properties)
            names.append(f"{url}#words")
        else:
            frame.write.format(kind).save(str(path))
            names.append(str(path))
    exact = of(spark, *names, keys=("ID",))
    assert counts(exact) == (1, 1, 1, 2)
    found = of(spark, *names, keys=("id",), tolerance=1e-9)
    assert counts(found) == (2, 1, 1, 1)
    assert named(found.examples["differing"]) == [
        {"id": 2, "left": {"word": "b", "amount": 2.0}, "right": {"word": "b", "amount": 2.5}}
    ]
    assert named(found.examples["only_left"]) == [{"id": 4, "word": "d", "amount": 4.0}]
    assert named(found.examples["only_right"]) == [{"id": 5, "word": "e", "amount": 5.0}]
    assert of(spark, names[0], names[0]).is_equal
    assert counts(of(spark, *names, keys=("id",), ignore=("amount",))) == (3, 1, 1, 0)


def test_batches_of_a_column(spark: SparkSession, tmp_path: Path) -> None:
    rows = "SELECT timestamp_millis(t) AS at, w FROM VALUES {} AS x(t, w)"
    for side, values in (
        ("old", "(500L, 'a'), (1900L, 'b'), (2500L, 'c')"),
        ("new", "(700L, 'a'), (2000L, 'b'), (2600L, 'x')"),
    ):
        spark.sql(rows.format(values)).write.parquet(str(tmp_path / side))
    names = (tmp_path / "old", tmp_path / "new")
    found = of(spark, *names, time="at", interval=1.0)
    assert counts(found) == (1, 2, 2, 0)
    assert found.first_batch == 1000
    assert counts(of(spark, *names, time="at", interval=1.0, border=1.0)) == (2, 1, 1, 0)


def test_maps_repeated_keys_and_missing_ones(spark: SparkSession, tmp_path: Path) -> None:
    rows = "SELECT k, v, map('a', v, 'b', 2) AS m FROM VALUES {} AS x(k, v)"
    for side, values in (
        ("old", "(1, 1), (1, 2), (NULL, 3)"),
        ("new", "(1, 2), (1, 5), (NULL, 3)"),
    ):
        spark.sql(rows.format(values)).write.parquet(str(tmp_path / side))
    assert counts(of(spark, tmp_path / "old", tmp_path / "new", keys=("k",))) == (2, 0, 0, 1)


@pytest.mark.parametrize(
    ("left", "right", "asked", "said"),
    [
        ("a", "b", {"keys": ("no",)}, "--key no: .* has the columns x, y"),
        ("a", "c", {}, "only .*a has the columns y"),
        ("a", "text:nowhere", {}, "no folder nowhere-MILLISECONDS"),
        ("a", "parquet:nowhere", {}, "cannot be read: .*nowhere"),
        ("a", "jdbc:nothing:x#t", {}, "cannot be read"),
    ],
)
def test_what_cannot_be_compared(
    spark: SparkSession, tmp_path: Path, left: str, right: str, asked: dict[str, Any], said: str
) -> None:
    for name, columns in (("a", "1 AS x, 2 AS y"), ("b", "1 AS x, 2 AS y"), ("c", "1 AS x")):
        spark.sql(f"SELECT {columns}").write.parquet(str(tmp_path / name))
    names = [str(tmp_path / one) if len(one) == 1 else one for one in (left, right)]
    with pytest.raises(MigrateError, match=said):
        of(spark, *names, **asked)


def test_on_the_command_line(tmp_path: Path) -> None:
    write_batches(tmp_path / "old" / "counts", {1000: ["a"], 2000: ["b"]})
    write_batches(tmp_path / "new" / "counts", {1000: ["a"], 2000: ["c"]})
    command = [sys.executable, "-m", "migrator", "reconcile", "old/counts", "new/counts"]
    for form, said in (
        ("text", "different, first in the batch of 2000 (1970-01-01T00:00:02.000Z)"),
        ("json", '"only_right": 1'),
    ):
        done = subprocess.run(
            [*command, "--format", form],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert said in done.stdout
        assert "migrate: comparing rows" in done.stderr
    assert json.loads(done.stdout)["examples"]["only_left"] == [{"batch": 2000, "value": "b"}]


def test_columns_called_batch_are_those_of_the_jobs(spark: SparkSession, tmp_path: Path) -> None:
    left = [("2024-01-01 00:00:01", "x", 1), ("2024-01-01 00:00:02", "y", 2), (None, "z", 3)]
    right = [("2024-01-01 00:00:01", "x", 1), ("2024-01-01 00:00:02", "w", 2)]
    for name, rows in (("left", left), ("right", right)):
        frame = spark.createDataFrame(rows, "at string, batch string, `a.b` int")
        frame.write.parquet(str(tmp_path / name))
    sides = [f"parquet:{tmp_path / name}" for name in ("left", "right")]
    found = of(spark, *sides, time="at", interval=10.0)
    # one without a time is in no batch, and counts
    assert counts(found) == (1, 2, 1, 0)
    assert {"__batch", "batch", "a.b"} == found.examples["only_right"][0].keys()
    found = of(spark, *sides, ignore=("at",))
    assert (counts(found), found.batch) == ((1, 2, 1, 0), "")
    show(*sides, found, io.StringIO(), color=False)
    found = of(spark, *sides, ignore=("at",), keys=("a.b",))
    assert counts(found) == (1, 1, 0, 1)


def test_a_time_called_batch(spark: SparkSession, tmp_path: Path) -> None:
    for name, second in (("left", 1), ("right", 21)):
        rows = [(f"2024-01-01 00:00:{second:02}", 1)]
        spark.createDataFrame(rows, "batch string, n int").write.parquet(str(tmp_path / name))
    sides = [f"parquet:{tmp_path / name}" for name in ("left", "right")]
    found = of(spark, *sides, time="batch", interval=10.0, whole=True)
    assert (counts(found), found.batch) == ((0, 1, 1, 0), "batch")
