"""The jobs of legacy_examples, migrated to each target, give what they gave on Spark's DStreams.

Those that DStreams in Python cannot run give what was recorded for them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.testing.results import Results
from dstream_compat.testing.values import readable
from migrator.cli.main import main
from migrator.verify.check import engine_of
from migrator.verify.comparison import Difference, Rules, compare
from migrator.verify.ends import compared_batches
from migrator.verify.outcome import read_outcome
from migrator.verify.process import COMPAT, DSTREAMS, STRUCTURED
from tests.support.fenced import ROOT
from tests.support.legacy import plain_outputs
from tests.support.legacy.plans import CLICKS, TEXT
from tests.support.migrator.proof_runs import Runs

EXAMPLES = ROOT / "legacy_examples"
SOCKET = ("localhost", "9999")


def lines(*batches: list[str], **more: Any) -> dict[str, Any]:
    given = [{"socket:9999": batch} if batch else {} for batch in batches]
    return {"sources": {"socket:9999": {}}, "batches": given} | more


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
    "windowed_wordcount.py": ((*SOCKET, "3", "1"), lines(TEXT, ["a"], [], [])),
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
    "queue_stream.py": (("3",), {"sources": {}, "interval": 0.5, "batches": [{}] * 4}),
}
# the others have no proven form in Structured Streaming
STRUCTURED_JOBS = (
    *("network_wordcount.py", "windowed_wordcount.py", "sql_network_wordcount.py"),
    *("directory_wordcount.py", "queue_stream.py", "save_to_files.py"),
)
# what the others show is shown by the tests of both engines, too: they are for the long run
SHORT = {
    COMPAT: {"blacklist_filter.py", "recoverable_network_wordcount.py", "queue_stream.py"},
    STRUCTURED: {"windowed_wordcount.py", "sql_network_wordcount.py"},
}
SHORT_RECORDED = {"rolling_statistics.py", "kafka_receiver_wordcount.py"}
# the rewriting says so: the time of a batch is the clock's, and its session is there before
STATED = {
    (
        "sql_network_wordcount.py",
        STRUCTURED,
    ): r"### \(time of the batch\) ###|opening a SQL session|no words",
}
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    made = Runs(tmp_path_factory.mktemp("legacy"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of the examples as they are in a target."""

    @functools.cache
    def migrate(target: str) -> Path:
        folder = tmp_path_factory.mktemp(target) / "migrated"
        options = ("--output", str(folder), "--target", target, "--quiet", "--no-config")
        assert main([str(EXAMPLES), *options]) in (0, 1)
        return folder

    return migrate


@pytest.mark.parametrize(
    ("script", "target"),
    [
        pytest.param(script, target, marks=[] if script in SHORT[target] else pytest.mark.full)
        for target, scripts in ((COMPAT, tuple(JOBS)), (STRUCTURED, STRUCTURED_JOBS))
        for script in scripts
    ],
)
def test_job(runs: Runs, migrated: Callable[[str], Path], script: str, target: str) -> None:
    arguments, recording = JOBS[script]
    old = runs.outcome(script, DSTREAMS, EXAMPLES / script, recording, arguments, streams=False)
    new = migrated(target) / script
    assert engine_of(new) == target
    name = f"{script} on {target}"
    found = runs.outcome(name, target, new, recording, arguments, streams=False)
    assert [
        one for one in differences(old, found, recording) if not is_stated(one, script, target)
    ] == []


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, marks=[] if script in SHORT_RECORDED else pytest.mark.full)
        for script in plain_outputs.JOBS
    ],
)
def test_job_with_recorded_outputs(
    runs: Runs, migrated: Callable[[str], Path], script: str
) -> None:
    arguments, recording, _ = plain_outputs.JOBS[script]
    old = read_outcome(plain_outputs.recorded(script))
    new = migrated(COMPAT) / script
    found = runs.outcome(script, COMPAT, new, recording, arguments, streams=False)
    assert differences(old, found, recording) == []


def differences(old: Results, new: Results, recording: dict[str, Any]) -> list[Difference]:
    """Compare two runs that have something in common."""
    batches = compared_batches(old, new, len(recording["batches"]))
    comparison = compare(old, new, Rules(), batches)
    assert comparison.rows_both > 0
    return comparison.differences


@pytest.mark.parametrize("script", plain_outputs.JOBS)
def test_recorded_outputs_are_those_of_plain_python(script: str, tmp_path: Path) -> None:
    plain_outputs.write(script, tmp_path / "results.jsonl")
    assert plain_outputs.recorded(script).read_text() == (tmp_path / "results.jsonl").read_text()


def test_every_job_is_verified() -> None:
    contexts = {
        str(path.relative_to(EXAMPLES))
        for path in EXAMPLES.rglob("*.py")
        if "StreamingContext(" in path.read_text(encoding="utf-8")
    }
    # the module that makes the context of clickstream/job.py
    assert contexts - {"clickstream/streaming_job.py"} == {*JOBS, *plain_outputs.JOBS} - {
        "clickstream/job.py"
    }


def is_stated(difference: Difference, script: str, target: str) -> bool:
    """Return whether a difference is of printed lines only that the rewriting says to differ."""
    pattern = STATED.get((script, target))
    rows = [*difference.only_old, *difference.only_new]
    return (
        pattern is not None
        and difference.pair.kind == "printed"
        and all(re.fullmatch(pattern, readable(row).strip("'")) for row in rows)
    )
