"""Kafka receivers: one finding for what a project decides once; the option with the brokers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
CALL = "KafkaUtils.createStream(ssc, 'zk:2181', 'g', {'t': 1})"
JOB = (
    "from pyspark import SparkContext\n"
    "from pyspark.streaming import StreamingContext\n"
    "from pyspark.streaming.kafka import KafkaUtils\n\n"
    "ssc = StreamingContext(SparkContext(), 1)\n"
    f"{CALL}.pprint()\n"
)
NEW = CALL.removesuffix(")") + ', kafkaParams={"bootstrap.servers": "b:9092"})'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name in ("a.py", "b.py", "c.py"):
        (root / name).write_text(JOB)
    return root


def brokers(run: Run) -> list[tuple[str, bool, list[str]]]:
    return [
        (f["path"], f["fixed"], [f"{o['path']}, line {o['line']}" for o in f["also"]])
        for f in run.json["findings"]
        if f["code"] == "D201" and f["severity"] == "error"
    ]


def test_one_finding_lists_all_places(migrate: Migrate, root: Path) -> None:
    run = migrate(root, "--check", "--format", "json")
    assert run.code == 1
    assert brokers(run) == [("a.py", False, ["b.py, line 6", "c.py, line 6"])]
    (found,) = [f for f in run.json["findings"] if f["code"] == "D201"]
    assert "so do 2 other calls of this project" in found["message"]
    assert found["effort_minutes"] == run.json["summary"]["effort_minutes"] == 15
    assert run.json["summary"]["sites_by_outcome"]["reported"] == 3


def test_two_and_one(migrate: Migrate, root: Path) -> None:
    (root / "c.py").unlink()
    assert "; so does another call of this project" in migrate(root, "--check").out.replace(
        "\n", ""
    )
    (root / "b.py").unlink()
    assert "of this project" not in migrate(root, "--check").out


def test_a_comment_takes_its_place_out(migrate: Migrate, root: Path) -> None:
    (root / "a.py").write_text(JOB.replace(".pprint()", ".pprint()  # migrate: ignore[D201]"))
    run = migrate(root, "--check", "--format", "json")
    assert brokers(run)[1:] == [("b.py", False, ["c.py, line 6"])]


def test_a_baseline_has_each_place(migrate: Migrate, root: Path) -> None:
    baseline = root / "baseline.json"
    migrate(root, "--write-baseline", baseline, "--select", "D201")
    (root / "d.py").write_text(JOB)
    run = migrate(root, "--check", "--baseline", baseline, "--select", "D201", "--format", "json")
    left = [f["path"] for f in run.json["findings"] if f["needs_person"]]
    assert left == ["d.py"]


def test_the_option(migrate: Migrate, root: Path) -> None:
    migrate(root, "--in-place", "--kafka-brokers", "b:9092")
    for name in ("a.py", "b.py", "c.py"):
        assert NEW in (root / name).read_text()
    again = migrate(root, "--check", "--kafka-brokers", "b:9092")
    assert "0 files would be rewritten" in again.out


def test_what_the_option_leaves_to_decide_is_one_finding(migrate: Migrate, root: Path) -> None:
    run = migrate(root, "--check", "--kafka-brokers", "b:9092", "--format", "json")
    (left,) = [f for f in run.json["findings"] if f["needs_person"]]
    assert (left["code"], left["severity"], left["path"]) == ("D201", "warning", "a.py")
    assert [f"{o['path']}, line {o['line']}" for o in left["also"]] == [
        *("b.py, line 6", "c.py, line 6"),
    ]
    assert "so do 2 other calls of this project" in left["message"]
    assert left["advice"].startswith("decide once whether")
    assert run.json["summary"]["effort_minutes"] == 15
    before = migrate(root, "--check", "--format", "json")
    assert before.json["summary"]["effort_minutes"] == 15


def test_brokers_and_offsets_are_two_decisions(migrate: Migrate, root: Path) -> None:
    named = CALL.removesuffix(")") + ", kafkaParams={'bootstrap.servers': 'b:1'})"
    (root / "a.py").write_text(JOB.replace(CALL, named))
    (root / "d.py").write_text(JOB.replace(CALL, named))
    run = migrate(root, "--check", "--format", "json")
    left = [
        (f["path"], f["severity"], len(f["also"]))
        for f in run.json["findings"]
        if f["needs_person"]
    ]
    assert left == [("a.py", "warning", 1), ("b.py", "error", 1)]


def test_from_the_cache(migrate: Migrate, root: Path) -> None:
    migrate(root, "--check")
    run = migrate(root, "--check", "--kafka-brokers", "b:9092", "--format", "json")
    assert [fixed for _, fixed, _ in brokers(run)] == [True, True, True]


def test_the_setting(migrate: Migrate, root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.migrate]\nkafka-brokers = "x:1"\n')
    migrate(root, "--in-place")
    assert '"x:1"' in (root / "a.py").read_text()


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("", "a broker is empty"),
        ("b:1,", "a broker is empty"),
        ("b", "'b' is not HOST:PORT"),
        (":9092", "':9092' is not HOST:PORT"),
        ("b:9092, ", "a broker is empty"),
        ("b:9092 c:9092", "'b:9092 c:9092' is not HOST:PORT"),
        ("b: 9092", "' 9092' is not a port"),
        ("kafka://b:9092", "'kafka://b:9092' is not HOST:PORT"),
        ('b:1"', "is not a port, 1 to 65535"),
        ("b:x", "'x' is not a port"),
        ("b:1\n", "is not a port"),
        ("b:", "'' is not a port"),
        ("b:1,c:0", "'0' is not a port"),
        ("b:65536", "'65536' is not a port"),
    ],
)
def test_what_is_no_broker(migrate: Migrate, root: Path, value: str, wrong: str) -> None:
    run = migrate(root, "--in-place", "--kafka-brokers", value)
    assert (run.code, (root / "a.py").read_text()) == (2, JOB)
    assert f"--kafka-brokers: {value!r}: " in run.err and wrong in run.err


@pytest.mark.parametrize("value", ["b:9092, c:9092", " b:9092 ,c:9092", "b:9092,\tc:9092 "])
def test_blanks_between_brokers_are_left_out(migrate: Migrate, root: Path, value: str) -> None:
    migrate(root, "--in-place", "--kafka-brokers", value)
    assert '"b:9092,c:9092"' in (root / "a.py").read_text()


def test_where_it_is_said_what_is_no_broker(migrate: Migrate, root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.migrate]\nkafka-brokers = "b"\n')
    run = migrate(root, "--in-place")
    assert run.code == 2
    assert "pyproject.toml: kafka-brokers: 'b': 'b' is not HOST:PORT" in run.err
    assert migrate(root, "--check", "--kafka-brokers", "b:1").code in (0, 1)


@pytest.mark.parametrize("value", ["b:9092,c-1.x:9093", "[::1]:9092", "10.0.0.1:1", "b:65535"])
def test_what_is_one(migrate: Migrate, root: Path, value: str) -> None:
    migrate(root, "--in-place", "--kafka-brokers", value)
    assert f'"{value}"' in (root / "a.py").read_text()


def test_a_setting_that_is_no_text(migrate: Migrate, root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.migrate]\nkafka-brokers = ["x:1"]\n')
    run = migrate(root, "--check")
    assert (run.code, "is not a text" in run.err) == (2, True)
