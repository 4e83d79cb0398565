"""Jobs on YARN with files and checkpoints on HDFS, whose processes are killed."""

from __future__ import annotations

import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from scripts.test_versions import Skipped, find_python
from tests.support.components.hadoop import Hadoop
from tests.support.programs import give_up
from tests.support.streaming.feed import Feed
from tests.support.streaming.processes import JOBS
from tests.support.streaming.submitted_jobs import (
    TOTALS,
    YARN,
    YARN_ONLY,
    pack_environment,
    submitted_job,
)

pytestmark = [pytest.mark.slow, pytest.mark.full]  # docs/test_clusters.py has a short one

EXECUTOR = "YarnCoarseGrainedExecutorBackend"
MASTER = "deploy.yarn.ApplicationMaster --class"


def another_python() -> str:
    """Return a Python of another version than that of the tests."""
    for minor in {11, 12, 13} - {sys.version_info.minor}:
        with suppress(Skipped):
            return find_python(f"3.{minor}")
    give_up("no Python of another version; install it with `apt-get install python3`")


@pytest.fixture
def feed(hadoop: Hadoop, tmp_path: Path) -> Feed:
    return Feed(hadoop, tmp_path, f"/in-{tmp_path.name}")


def test_client_mode_goes_on_after_its_driver_was_killed(
    hadoop: Hadoop, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "4000"]
    with submitted_job(hadoop, tmp_path / "first", YARN, script) as job:
        job.wait_until_started()
        feed.put(2)
        job.wait_for(lambda _: bool(job.totals()))
        job.kill()
    feed.put(1)
    with submitted_job(hadoop, tmp_path / "second", YARN, script) as job:
        feed.put(1)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()


def test_client_mode_goes_on_when_an_executor_is_killed(
    hadoop: Hadoop, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "6000"]
    with submitted_job(hadoop, tmp_path / "log", YARN, script) as job:
        job.wait_until_started()
        feed.put(3)
        job.wait_for(lambda _: bool(job.totals()))
        os.kill(hadoop.jvms(EXECUTOR)[0], signal.SIGKILL)
        feed.put(3)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
        times = job.batch_times()
        assert times == list(range(times[0], times[-1] + 1)), "each batch has run, once"


def test_yarn_starts_a_killed_driver_again(hadoop: Hadoop, feed: Feed, tmp_path: Path) -> None:
    """In cluster mode, with an environment that is packed, which is where processes run."""
    environment = tmp_path / "environment.tar"
    pack_environment(tmp_path / "environment", environment)
    python = "./environment/bin/python"
    options = (
        *(*YARN, "--deploy-mode", "cluster", "--archives", f"{environment}#environment"),
        *("--conf", f"spark.yarn.appMasterEnv.PYSPARK_PYTHON={python}"),
        *("--conf", "spark.yarn.maxAppAttempts=4"),
    )
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "6000"]
    with submitted_job(
        hadoop, tmp_path / "log", options, script, {"PYSPARK_PYTHON": python}
    ) as job:
        job.wait_until_started()
        feed.put(3)
        job.wait_for(lambda _: bool(job.totals()))
        os.kill(hadoop.jvms(MASTER)[0], signal.SIGKILL)
        feed.put(3)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
        assert len(re.findall("^application ", job.text, re.MULTILINE)) == 2


def test_nodes_with_another_python(hadoop: Hadoop, feed: Feed, tmp_path: Path) -> None:
    other = another_python()
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "1000"]
    more = {"PYSPARK_DRIVER_PYTHON": sys.executable, "PYSPARK_PYTHON": other}
    with submitted_job(hadoop, tmp_path / "log", YARN, script, more) as job:
        assert job.wait() == 1, job.tail()
        here = "{}.{}".format(*sys.version_info[:2])
        said = (
            rf"Python in worker has different version: (?!{here})3\.\d+ than that in driver: {here}"
        )
        assert re.search(said, job.text), job.tail()


def test_state_is_for_the_executors_that_are_to_come(hadoop: Hadoop, tmp_path: Path) -> None:
    grow = ("shuffleTracking.enabled=true", "minExecutors=1", "maxExecutors=4", "enabled=true")
    options = [*YARN_ONLY]
    for one in grow:
        options += ["--conf", f"spark.dynamicAllocation.{one}"]
    script = [str(JOBS / "grown.py"), f"hdfs:///ck-{tmp_path.name}"]
    with submitted_job(hadoop, tmp_path / "log", options, script) as job:
        assert job.wait() == 0, job.tail()
        assert re.search("^registered 2$", job.text, re.MULTILINE)  # no less than Spark says
        assert re.search("^partitions 4$", job.text, re.MULTILINE), job.tail()
        assert "rescale" not in job.text
    states = hadoop.command("fs", "-ls", "-R", f"/ck-{tmp_path.name}")
    assert {int(n) for n in re.findall(r"/query/state/0/(\d+)$", states, re.MULTILINE)} == {
        *range(4)
    }


def test_client_mode_goes_on_when_a_node_is_lost(
    hadoop: Hadoop, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "6000"]
    with submitted_job(hadoop, tmp_path / "log", YARN, script) as job:
        job.wait_until_started()
        feed.put(3)
        job.wait_for(lambda _: bool(job.totals()))
        hadoop.command("stop-node", "1")  # the other one suffices for tests that come later
        feed.put(3)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
