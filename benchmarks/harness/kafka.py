"""A Kafka broker with a topic of events, for the jobs that read one."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .job import Unavailable
from .spark import SETTINGS

PARTITIONS: Final = 4
TOPIC: Final = "events"


@contextmanager
def broker(folder: Path, value: str, count: int) -> Iterator[dict[str, str]]:
    """Run a broker; gives its address and the jars of Spark's connector.

    Parameters
    ----------
    folder : Path
        for its data
    value : str
        an SQL expression over ``id``: the value of an event
    count : int
        events in the topic, the same number in each partition

    Raises
    ------
    Unavailable
        if the jars cannot be had
    """
    try:
        from tests.support.components import jars
        from tests.support.components.kafka import Broker
    except ImportError as error:
        raise Unavailable(f"the broker of the tests cannot be imported: {error}") from error

    cache = Path(tempfile.gettempdir(), "dstream-compat-jars")
    try:
        server, connector = jars.broker(cache), jars.connector(cache)
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"the jars of Kafka cannot be had: {str(error)[:200]}") from error
    home = folder / "broker"
    home.mkdir()
    running = Broker(server, home)
    try:
        running.start()
        running.create(TOPIC, PARTITIONS)
        found = {"address": running.address, "jars": ",".join(map(str, connector))}
        given = json.dumps({**found, "value": value, "count": count})
        command = [sys.executable, "-m", "benchmarks.harness.kafka", given]
        done = subprocess.run(
            command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the topic could not be filled:\n{done.stderr[-3000:]}")
        yield found
    finally:
        running.stop()


def fill(address: str, jars: str, value: str, count: int) -> None:
    """Write the events of a topic."""
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    conf = SparkConf().setAll(list(SETTINGS.items())).set("spark.jars", jars)
    spark = SparkSession.builder.config(conf=conf).getOrCreate()
    events = spark.range(count).selectExpr(
        f"{value} AS value", f"CAST(id % {PARTITIONS} AS INT) AS partition"
    )
    writer = events.write.format("kafka").option("kafka.bootstrap.servers", address)
    writer.option("topic", TOPIC).save()
    spark.stop()


if __name__ == "__main__":
    fill(**json.loads(sys.argv[1]))
