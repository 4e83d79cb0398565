"""Jobs on an HDFS and a YARN that want to know who asks, for longer than a token is good."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.components.hadoop import Hadoop, started_hadoop
from tests.support.components.kerberos import (
    REALM,
    TOKEN_SECONDS,
    USER,
    KeyCenter,
    started_key_center,
)
from tests.support.streaming.feed import Feed
from tests.support.streaming.submitted_jobs import (
    LOCAL,
    TOTALS,
    YARN,
    SubmittedJob,
    submitted_job,
)

pytestmark = [pytest.mark.slow, pytest.mark.full]

EXECUTOR = "YarnCoarseGrainedExecutorBackend"


@pytest.fixture(scope="module")
def center(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KeyCenter]:
    assert pytestconfig.cache is not None
    folder = tmp_path_factory.mktemp("kerberos")
    with started_key_center(pytestconfig.cache.mkdir("hadoop"), folder) as running:
        yield running


@pytest.fixture(scope="module")
def hadoop(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, center: KeyCenter
) -> Iterator[Hadoop]:
    assert pytestconfig.cache is not None
    folder = tmp_path_factory.mktemp("hadoop")
    with started_hadoop(pytestconfig.cache.mkdir("hadoop"), folder, key_center=center) as servers:
        servers.command("fs", "-chmod", "777", "/")  # of their own user
        yield servers


@pytest.fixture
def feed(hadoop: Hadoop, tmp_path: Path) -> Feed:
    return Feed(hadoop, tmp_path, f"/in-{tmp_path.name}")


def run_for_a_token(job: SubmittedJob) -> None:
    """Let a job run until the tokens that it has at first are of no use."""
    ends = time.monotonic() + 1.5 * TOKEN_SECONDS
    job.wait_for(lambda _: time.monotonic() > ends)


def keytab_options(center: KeyCenter) -> tuple[str, ...]:
    return ("--principal", f"{USER}@{REALM}", "--keytab", center.keytab(USER))


def test_a_job_with_a_keytab_outlives_its_tokens(
    hadoop: Hadoop, center: KeyCenter, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "8000"]
    options = (*YARN, *keytab_options(center))
    with submitted_job(hadoop, tmp_path / "log", options, script) as job:
        job.wait_until_started()
        feed.put(2)
        job.wait_for(lambda _: bool(job.totals()))
        run_for_a_token(job)
        feed.put(2)
        job.wait_for(lambda _: job.totals() == feed.totals())
        # another one comes, and is to have tokens of today
        os.kill(hadoop.jvms(EXECUTOR)[0], signal.SIGKILL)
        feed.put(2)
        run_for_a_token(job)
        feed.put(2)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
        times = job.batch_times()
        assert times == list(range(times[0], times[-1] + 1)), "each batch has run, once"


def test_a_job_without_a_keytab_ends_with_its_tokens(
    hadoop: Hadoop, center: KeyCenter, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "8000"]
    ticket = {"KRB5CCNAME": center.tickets(USER)}
    with submitted_job(hadoop, tmp_path / "log", YARN, script, ticket) as job:
        assert job.wait() == 1, job.tail()
        said = "QueryFailedError: .* has expired.* submit the job with --principal and --keytab"
        assert re.search(said, job.text), job.tail()


def test_a_local_job_with_a_keytab(
    hadoop: Hadoop, center: KeyCenter, feed: Feed, tmp_path: Path
) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "2000"]
    options = (*LOCAL, *keytab_options(center))
    with submitted_job(hadoop, tmp_path / "log", options, script) as job:
        job.wait_until_started()
        feed.put(2)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()


def test_a_job_that_has_no_ticket(hadoop: Hadoop, feed: Feed, tmp_path: Path) -> None:
    script = [TOTALS, f"hdfs:///ck-{tmp_path.name}", f"hdfs://{feed.folder}", "1000"]
    nothing = {"KRB5CCNAME": str(tmp_path / "nothing")}
    with submitted_job(hadoop, tmp_path / "log", LOCAL, script, nothing) as job:
        assert job.wait() == 1, job.tail()
        said = (
            r"CheckpointError: .* cannot be used: .* no ticket and no token: run kinit before, or"
        )
        assert re.search(said, job.text), job.tail()
