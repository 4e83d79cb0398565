"""The submit script of a migrated project starts its job, as its owner would call it.

Real time, so what is printed is compared in total.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from tests.support.components.kafka import Broker
from tests.support.legacy.harness import DEADLINE, ROOT, session_end
from tests.support.migrator.golden_jobs import copy, migrate
from tests.support.migrator.plans.servers import ELEMENT, EVENTS, SERVERS, summed, sums
from tests.support.streaming.kafka_fixtures import *  # noqa: F403

pytestmark = [pytest.mark.slow, pytest.mark.full]

PACKAGE = "org/apache/spark/spark-sql-kafka-0-10_2.13"


def repository(folder: Path, connector: list[Path]) -> Path:
    """Make a repository that has the connector of this Spark, which may not be out yet."""
    dependencies = ""
    for number, jar in enumerate(connector):
        version = pyspark.__version__ if jar.name.startswith("spark-sql-kafka") else "1"
        name = PACKAGE if version != "1" else f"org/example/part-{number}"
        group, _, artifact = name.rpartition("/")
        place = folder / name / version
        place.mkdir(parents=True)
        shutil.copy(jar, place / f"{artifact}-{version}.jar")
        about = (
            f"<groupId>{group.replace('/', '.')}</groupId><artifactId>{artifact}</artifactId>"
            f"<version>{version}</version>"
        )
        if version == "1":
            dependencies += f"<dependency>{about}</dependency>"
        (place / f"{artifact}-{version}.pom").write_text(
            f"<project><modelVersion>4.0.0</modelVersion>{about}</project>"
        )
    (pom,) = (folder / PACKAGE).rglob("*.pom")
    text = pom.read_text().replace(
        "</project>", f"<dependencies>{dependencies}</dependencies></project>"
    )
    pom.write_text(text)
    return folder


@contextlib.contextmanager
def running(script: Path, variables: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a script in a session of its own, which ends with the test or at the deadline."""
    with (script.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            ["bash", str(script), "1"],
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    timer = threading.Timer(DEADLINE, session_end, [process])
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        session_end(process)


def test_submit_script(broker: Broker, connector: list[Path], tmp_path: Path) -> None:
    (job,) = (one for one in SERVERS if one.project == "projects/zookeeper_receivers")
    for topic, partitions in job.kafka.items():
        broker.create(topic, partitions)
    root = copy(job.project, tmp_path)
    migrate(root, "--kafka-brokers", broker.address)
    conf = tmp_path / "conf"
    conf.mkdir()
    packages = repository(tmp_path / "maven", connector)
    (conf / "spark-defaults.conf").write_text(
        f"spark.jars.repositories {packages.as_uri()}\n"
        f"spark.jars.ivy {tmp_path / 'ivy'}\nspark.ui.enabled false\n"
    )
    variables = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_CONF_DIR": str(conf),
        "MASTER": "local[2]",
    }
    expected = sums(Counter(text for batch in EVENTS for text in summed(batch)))
    printed: Counter[str] = Counter()
    with running(root / "bin" / "submit.sh", variables) as process:
        assert process.stdout is not None
        lines = iter(process.stdout)
        assert any(line.startswith("Time: ") for line in lines), (root / "bin/log").read_text()
        for batch in EVENTS:
            for topic, values in batch.items():
                broker.send(topic, [(None, value.encode()) for value in values])
        for line in lines:
            if ELEMENT.fullmatch(line.strip()):
                printed[line.strip()] += 1
            if (found := sums(printed)) == expected:
                break
        assert found == expected, (root / "bin/log").read_text()
