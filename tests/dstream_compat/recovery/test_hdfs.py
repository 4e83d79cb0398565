"""Jobs over files and checkpoints on an HDFS that refuses them, or is away for a while."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.support.components.hadoop import Hadoop
from tests.support.streaming.feed import Feed
from tests.support.streaming.processes import JOBS
from tests.support.streaming.submitted_jobs import LOCAL, TOTALS, submitted_job
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.full]

AWAY_SECONDS = 20
SAFE_MODE = "SafeModeException.*Retrying"
TEMPORARY = r"(d[rwx-]{9}).*(/tmp/dstream-compat-\w+)"


@pytest.fixture
def feed(hadoop: Hadoop, tmp_path: Path) -> Feed:
    return Feed(hadoop, tmp_path, f"/in-{tmp_path.name}")


@pytest.mark.parametrize(
    ("leave", "back", "reason"),
    [
        (
            "dfsadmin -safemode enter",
            "dfsadmin -safemode leave",
            SAFE_MODE,
        ),
        ("stop-name-node", "start-name-node", "Retrying connect to server"),
    ],
    ids=["safe mode", "no NameNode"],
)
def test_a_job_goes_on_when_hdfs_was_away(
    hadoop: Hadoop, feed: Feed, tmp_path: Path, leave: str, back: str, reason: str
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "4000"]
    options = (*LOCAL, "--conf", "spark.log.level=WARN")
    with submitted_job(hadoop, tmp_path / "log", options, script) as job:
        job.wait_until_started()
        feed.put(2)
        job.wait_for(lambda _: bool(job.totals()))
        hadoop.command(*leave.split())
        ends = time.monotonic() + AWAY_SECONDS
        try:
            wait_for(lambda: time.monotonic() > ends, job.tail)
            assert job.process.poll() is None, job.tail()
        finally:
            hadoop.command(*back.split())
        feed.put(2)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
        assert re.search(reason, job.text, re.DOTALL), job.tail()
        times = job.batch_times()
        assert times == list(range(times[0], times[-1] + 1)), "each batch has run, once"


def test_a_job_says_what_it_waits_for_before_it_starts(
    hadoop: Hadoop, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "1000"]
    options = (*LOCAL, "--conf", "spark.log.level=WARN")
    hadoop.command("dfsadmin", "-safemode", "enter")
    with submitted_job(hadoop, tmp_path / "log", options, script) as job:
        try:
            job.wait_for(lambda text: re.search(SAFE_MODE, text, re.DOTALL) is not None)
            assert "application " not in job.text, "it has not started"
        finally:
            hadoop.command("dfsadmin", "-safemode", "leave")
        job.wait_until_started()
        feed.put(1)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()


def test_a_temporary_folder_is_private(hadoop: Hadoop, tmp_path: Path) -> None:
    """Where a job has no checkpoint folder, on an HDFS whose folders others may read by default."""
    hadoop.command("fs", "-mkdir", "-p", "/tmp")
    before = set(re.findall(TEMPORARY, hadoop.command("fs", "-ls", "/tmp")))
    script = [str(JOBS / "without_checkpoint.py")]
    with submitted_job(hadoop, tmp_path / "log", LOCAL, script) as job:
        assert job.wait() == 0, job.tail()
    ((mode, _),) = set(re.findall(TEMPORARY, hadoop.command("fs", "-ls", "/tmp"))) - before
    assert mode == "drwx------"


def test_a_checkpoint_that_may_not_be_written(hadoop: Hadoop, feed: Feed, tmp_path: Path) -> None:
    script = [TOTALS, "hdfs:///ck-denied", f"hdfs://{feed.folder}", "1000"]
    with submitted_job(
        hadoop, tmp_path / "log", LOCAL, script, {"HADOOP_USER_NAME": "guest"}
    ) as job:
        assert job.wait() == 1, job.tail()
        assert re.search(
            "CheckpointError: the checkpoint folder hdfs:///ck-denied cannot be used: .*"
            'Permission denied: user=guest, access=WRITE, inode="/"',
            job.text,
        ), job.tail()


def test_an_input_folder_that_may_not_be_listed(hadoop: Hadoop, tmp_path: Path) -> None:
    folder = f"/secret-{tmp_path.name}"
    feed = Feed(hadoop, tmp_path, f"{folder}/in")
    hadoop.command("fs", "-chmod", "700", folder)
    script = [TOTALS, f"file://{tmp_path}/checkpoint", f"hdfs://{feed.folder}", "1000"]
    with submitted_job(
        hadoop, tmp_path / "log", LOCAL, script, {"HADOOP_USER_NAME": "guest"}
    ) as job:
        job.wait_until_started()
        said = (
            rf"textFileStream\(hdfs://{feed.folder}\): the folder cannot be listed: .*Permission "
            rf'denied: user=guest, access=EXECUTE, inode="{folder}":.*; looking again'
        )
        job.wait_for(lambda text: re.search(said, text) is not None)
        hadoop.command("fs", "-chmod", "755", folder)
        feed.put(1)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
