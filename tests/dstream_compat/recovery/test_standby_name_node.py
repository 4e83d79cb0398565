"""Jobs over an HDFS of two NameNodes, which take over from each other while a job runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.components.hadoop import Hadoop, started_hadoop
from tests.support.streaming.feed import Feed
from tests.support.streaming.submitted_jobs import LOCAL, TOTALS, submitted_job

pytestmark = [pytest.mark.slow, pytest.mark.full]


@pytest.fixture
def hadoop(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hadoop]:
    assert pytestconfig.cache is not None
    folder = tmp_path_factory.mktemp("hadoop")
    with started_hadoop(
        pytestconfig.cache.mkdir("hadoop"), folder, name_nodes=2, nodes=0
    ) as servers:
        yield servers


def test_a_job_goes_on_with_the_other_name_node(hadoop: Hadoop, tmp_path: Path) -> None:
    """At first where the active one is gone, and then where both are there."""
    feed = Feed(hadoop, tmp_path, "/in")
    script = [TOTALS, "hdfs:///totals", f"hdfs://{feed.folder}", "6000"]
    assert hadoop.uri == "hdfs://jobs", "clients know no NameNode by its address"
    options = (*LOCAL, "--conf", "spark.log.level=WARN")
    with submitted_job(hadoop, tmp_path / "log", options, script) as job:
        job.wait_until_started()
        feed.put(2)
        job.wait_for(lambda _: bool(job.totals()))
        hadoop.command("stop-name-node")
        job.wait_for(lambda text: re.search("Retrying|fail ?over", text) is not None)
        hadoop.command("to-active", "1")
        feed.put(2)
        job.wait_for(lambda _: job.totals() == feed.totals())
        hadoop.command("start-name-node")
        hadoop.command("to-standby", "1")
        hadoop.command("to-active", "0")
        feed.put(2)
        assert job.wait() == 0, job.tail()
        assert job.totals() == feed.totals()
        times = job.batch_times()
        assert times == list(range(times[0], times[-1] + 1)), "each batch has run, once"
