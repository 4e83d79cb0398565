"""A job that was killed on an older PySpark and Python goes on with newer ones, exactly."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sys
from pathlib import Path

import pyspark
import pytest

from scripts.test_versions import Skipped
from tests.support.environments import runtime_python
from tests.support.programs import give_up
from tests.support.streaming.processes import JOBS, Finished, run_command
from tests.support.streaming.releases import KILLED, LAST, expected

pytestmark = pytest.mark.slow
OLD = "4.1", "3.11"
OWN = ".".join(pyspark.__version__.split(".")[:2]), "{}.{}".format(*sys.version_info)
DEADLINE = 1200.0


class Job:
    """The job that releases run, each life of it in an environment of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.checkpoint = root / "checkpoint"
        self.log = root / "log"

    def live(self, versions: tuple[str, str], until: int) -> Finished:
        """Run until a second, as a file: functions are saved with their byte code."""
        return self.run(versions, str(JOBS / "released.py"), str(self.checkpoint), str(until))

    def run(self, versions: tuple[str, str], *arguments: str) -> Finished:
        """Run Python with these arguments in an environment."""
        try:
            python = sys.executable if versions == OWN else str(runtime_python(*versions))
        except Skipped as reason:
            give_up(str(reason))
        return run_command(python, *arguments, deadline=DEADLINE)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """A job of the old versions that was killed in a batch."""
    job = Job(tmp_path_factory.mktemp("killed"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RELEASED_DEATH", str(KILLED))
        ended = job.live(OLD, LAST)
    assert ended.code == -signal.SIGKILL, ended.err[-3000:]
    shutil.copytree(job.checkpoint, job.root / "as-killed")
    return job


@pytest.fixture
def job(killed: Job, monkeypatch: pytest.MonkeyPatch) -> Job:
    """The same again for each test: where a checkpoint is, is written in it."""
    shutil.rmtree(killed.checkpoint)
    shutil.copytree(killed.root / "as-killed", killed.checkpoint)
    killed.log.unlink(missing_ok=True)
    monkeypatch.setenv("RELEASED_LOG", str(killed.log))
    return killed


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(OWN, id="own"),
        pytest.param(("4.2", "3.12"), id="4.2-3.12", marks=pytest.mark.full),
        pytest.param(("4.2", "3.13"), id="4.2-3.13", marks=pytest.mark.full),
        pytest.param(("4.3", "3.12"), id="4.3-3.12", marks=pytest.mark.full),
        pytest.param(("4.3", "3.13"), id="4.3-3.13", marks=pytest.mark.full),
    ],
)
def test_totals_are_exact(job: Job, new: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    if new[1] != OLD[1]:
        refused = job.live(new, LAST)
        assert refused.code == 1
        assert f"with PySpark {OLD[0]}." in refused.err and f"Python {OLD[1]}." in refused.err
        assert "the job once with spark.streaming.compat.rebuildGraph=true" in refused.err
        rebuild_graph(job, new, monkeypatch)
    ended = job.live(new, LAST)  # from what the new versions have saved, if they have
    assert ended.code == 0, ended.err[-3000:]
    assert "set up" not in ended.out
    check_totals(job)


@pytest.mark.full
@pytest.mark.parametrize("new", [("4.2", "3.12"), ("4.3", "3.13")], ids="-".join)
def test_keys_move_with_another_python(
    job: Job, new: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the graph is rebuilt, functions have the byte code of the old Python."""
    monkeypatch.setenv("PYTHONHASHSEED", "1")  # no job had set it: Spark's is 0
    folder = str(job.checkpoint)
    ended = job.run(new, "-m", "dstream_compat", "checkpoint", "rehash", folder)
    assert ended.code == 0, ended.err[-3000:]
    assert re.search(r"[1-9]\d* entries of the state were moved", ended.out), ended.out
    rebuild_graph(job, new, monkeypatch)
    ended = job.live(new, LAST)
    assert ended.code == 0, ended.err[-3000:]
    check_totals(job)


def rebuild_graph(job: Job, new: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        rebuild = "--conf spark.streaming.compat.rebuildGraph=true pyspark-shell"
        patch.setenv("PYSPARK_SUBMIT_ARGS", rebuild)
        ended = job.live(new, KILLED + 1)
    assert ended.code == 0, ended.err[-3000:]
    assert "set up" in ended.out


def check_totals(job: Job) -> None:
    wanted = {batch: json.loads(json.dumps(records)) for batch, records in expected(KILLED).items()}
    lines = [json.loads(line) for line in job.log.read_text().splitlines()]
    assert {(name, second): records for name, second, records in lines} == wanted
    # a batch that ran twice had the same twice
    assert all(wanted[name, second] == records for name, second, records in lines)
