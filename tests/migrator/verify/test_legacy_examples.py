"""The jobs of legacy_examples, migrated to each target, give what they gave on Spark's DStreams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.testing.values import readable
from migrator.verify.comparison import Difference, Rules, compare
from migrator.verify.ends import compared_batches
from migrator.verify.migrated import migrate_copy
from migrator.verify.process import COMPAT, DSTREAMS, STRUCTURED
from tests.support.fenced import ROOT
from tests.support.legacy.plans import CLICKS, TEXT
from tests.support.migrator.proof_runs import Runs

EXAMPLES = ROOT / "legacy_examples"
SOCKET = ("localhost", "9999")
MESSAGES = [[None, "a b b"], ["key", "b"]]


def lines(*batches: list[str], **more: Any) -> dict[str, Any]:
    given = [{"socket:9999": batch} if batch else {} for batch in batches]
    return {"sources": {"socket:9999": {}}, "batches": given} | more


def of_topic(topic: str, **more: Any) -> dict[str, Any]:
    source = f"kafka:{topic}"
    batches: list[dict[str, Any]] = [{source: MESSAGES}, {}, {source: MESSAGES[:1]}]
    return {"sources": {source: {}}, "batches": batches} | more


FILES = {
    "sources": {"file:incoming": {}},
    "batches": [
        {},
        {"file:incoming": {"one.txt": ["to be", "or not to be"]}},
        {"file:incoming": {"two.txt": ["that is"], "empty.txt": []}},
    ],
}
JOBS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "network_wordcount.py": (SOCKET, lines(TEXT, [], TEXT[1:], ["Spark SPARK"], [])),
    "stateful_network_wordcount.py": (
        (*SOCKET, "checkpoint"),
        lines(TEXT, [], ["storm!"], ["storm spark"], ["nobody!"]),
    ),
    "windowed_wordcount.py": ((*SOCKET, "3", "1"), lines(TEXT, ["a"], [], [], TEXT, [])),
    "sql_network_wordcount.py": (SOCKET, lines(TEXT, [], ["a b"], interval=2)),
    "directory_wordcount.py": (("incoming",), FILES),
    "recoverable_network_wordcount.py": (
        (*SOCKET, "checkpoint", "counts.txt"),
        lines(TEXT, [], ["the of a"]),
    ),
    "blacklist_filter.py": (
        (*SOCKET, "blacklist.txt"),
        lines(
            ["ann /a", "eve /b", "bob /c", "ann /d"],
            [],
            ["mallory /f", "bob /g"],
            files={"blacklist.txt": "mallory\n  eve\nnobody\n"},
        ),
    ),
    "save_to_files.py": ((*SOCKET, "out/counts"), lines(TEXT, [], TEXT, interval=2)),
    "clickstream/job.py": (
        (*SOCKET, "3"),
        lines([*CLICKS, "", "not json", "[1]"], CLICKS[:2], CLICKS),
    ),
    "kafka_receiver_wordcount.py": (("zookeeper:2181", "words"), of_topic("words")),
    "direct_kafka_wordcount.py": (("broker:9092", "words"), of_topic("words", interval=2)),
}
# the others have no proven form in Structured Streaming
STRUCTURED_JOBS = (
    *("network_wordcount.py", "windowed_wordcount.py", "sql_network_wordcount.py"),
    *("directory_wordcount.py", "save_to_files.py"),
)
# the rewriting says so: the time of a batch is the clock's, and its session is there before
STATED = {
    ("sql_network_wordcount.py", STRUCTURED): r"### [-\d: ]+ ###|opening a SQL session|no words",
}
ALWAYS = {
    *(("network_wordcount.py", target) for target in (COMPAT, STRUCTURED)),
    # three queries that answer in any order
    ("windowed_wordcount.py", STRUCTURED),
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    made = Runs(tmp_path_factory.mktemp("legacy"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("script", "target"),
    [
        pytest.param(script, target, marks=() if (script, target) in ALWAYS else pytest.mark.full)
        for target, scripts in ((COMPAT, JOBS), (STRUCTURED, STRUCTURED_JOBS))
        for script in scripts
    ],
)
def test_job(runs: Runs, script: str, target: str, tmp_path: Path) -> None:
    arguments, recording = JOBS[script]
    new = migrate_copy(EXAMPLES / script, target, tmp_path / "migrated")
    assert new.engine == target
    old = runs.outcome(script, DSTREAMS, EXAMPLES / script, recording, arguments, streams=False)
    name = f"{script} on {target}"
    found = runs.outcome(name, new.engine, new.job, recording, arguments, streams=False)
    batches = compared_batches(old, found, len(recording["batches"]))
    comparison = compare(old, found, Rules(), batches)
    assert [one for one in comparison.differences if not is_stated(one, script, target)] == []
    assert comparison.rows_both > 0


def is_stated(difference: Difference, script: str, target: str) -> bool:
    """Return whether a difference is of printed lines only that the rewriting says to differ."""
    pattern = STATED.get((script, target))
    rows = [*difference.only_old, *difference.only_new]
    return (
        pattern is not None
        and difference.pair.kind == "printed"
        and all(re.fullmatch(pattern, readable(row).strip("'")) for row in rows)
    )
