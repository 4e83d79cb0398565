"""What a side of a comparison names, and what is refused before Spark starts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.errors import MigrateError
from migrator.reconcile.matching import Differences, _facts
from migrator.reconcile.sides import side_of
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]


@pytest.mark.parametrize(
    ("given", "kind", "place"),
    [
        ("text:hdfs://h/out/counts", "text", "hdfs://h/out/counts"),
        ("parquet:s3a://b/x", "parquet", "s3a://b/x"),
        ("jdbc:postgresql://h/db?a=b#schema.words", "jdbc", "postgresql://h/db?a=b#schema.words"),
        ("kafka:h:9092,i:9092/words", "kafka", "h:9092,i:9092/words"),
    ],
)
def test_what_is_named(given: str, kind: str, place: str) -> None:
    side = side_of(given, {})
    assert (side.kind, side.place) == (kind, place)


def test_paths_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "part-0.snappy.parquet").touch()
    (tmp_path / "j.json").touch()
    (tmp_path / "counts-1000").mkdir()
    kinds = [side_of(str(tmp_path / one), {}).kind for one in ("t", "j.json", "counts")]
    assert kinds == ["parquet", "json", "text"]
    (tmp_path / "t" / "more.json").touch()
    with pytest.raises(MigrateError, match="files of 2 kinds; say which"):
        side_of(str(tmp_path / "t"), {})
    with pytest.raises(MigrateError, match="no such file"):
        side_of(str(tmp_path / "nothing"), {})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x"], "the following arguments are required: RIGHT"),
        (["x", "y"], "x: no such file or folder; write one of text:PREFIX"),
        (["hdfs://h/x", "y"], "say what it is"),
        (["jdbc:derby:x", "y"], "a table is missing"),
        (["kafka:h", "y"], "a topic is missing"),
        (["text:", "y"], "nothing follows the colon"),
        (["x", "y", "--time", "at"], "--time and --interval belong together"),
        (["x", "y", "--tolerance", "0.1"], "--tolerance needs --key"),
        (["x", "y", "--border", "0"], "no number of seconds above 0"),
        (["x", "y", "--conf", "a"], "write NAME=VALUE"),
        (["x", "y", "--left-options", "nowhere"], "nowhere cannot be read"),
        (["x", "y", "--left-options", "{secret}"], "secret, line 2: write name=value"),
    ],
)
def test_wrong_use(migrate: Migrate, tmp_path: Path, arguments: list[str], said: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("user=me\npassword 123\n")
    run = migrate("reconcile", *(one.replace("{secret}", str(secret)) for one in arguments))
    assert run.code == 2
    assert said in run.err
    assert "123" not in run.err


def test_what_is_said_of_rows_that_are_left_out() -> None:
    facts = "\n".join(_facts(Differences(both=5, moved=2, outside=(0, 3))))
    assert "5 rows in both, 2 of them in another batch" in facts
    assert "3 rows on the right in batches that the other job has not reached" in facts
    assert "neither has a row" in "\n".join(_facts(Differences()))
