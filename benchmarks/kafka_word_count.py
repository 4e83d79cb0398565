"""Kafka in, word count, out: records per second beside the same job in Structured Streaming.

``python -m benchmarks.kafka_word_count [--quick]`` starts a broker, fills a topic of four
partitions, and lets each job read it in batches of the same size, each in a process of its own.
Prints the records per second of the batches behind the warm-up (median batch) and the CPU seconds
per million records.

    compat      KafkaUtils.createDirectStream with flatMap, map and reduceByKey over lambdas
    functions   Structured Streaming, the same Python function as a udf
    columns     Structured Streaming, split and explode without Python
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from .harness.processes import tree_cpu
from .harness.run import ROOT

JOBS = ("compat", "functions", "columns")
PARTITIONS = 4
WARM_UP = 3
TOPIC = "lines"
DEADLINE = 600.0


def lines(count: int) -> list[bytes]:
    chooser = random.Random(7)
    words = [f"word{number}" for number in range(5000)]
    return [" ".join(chooser.choices(words, k=10)).encode() for _ in range(count)]


class Meter:
    """The durations of batches."""

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self._last = time.perf_counter()
        self._cpu = 0.0
        self.walls: list[float] = []
        self.used = 0.0
        self.done = threading.Event()

    def batch(self, records: int, results: int) -> None:
        """Note the end of a batch; empty ones before the start do not count."""
        now = time.perf_counter()
        wall, self._last = now - self._last, now
        if records == 0:
            return
        assert results > 0
        self.walls.append(wall)
        if len(self.walls) == WARM_UP:
            self._cpu = tree_cpu()
        if len(self.walls) == self._wanted:
            self.used = tree_cpu() - self._cpu
            self.done.set()


def compat(sc: Any, address: str, size: int, meter: Meter) -> Any:
    from dstream_compat import StreamingContext
    from dstream_compat.kafka import KafkaUtils

    ssc: Any = StreamingContext(sc, 1)
    params = {"metadata.broker.list": address, "auto.offset.reset": "smallest"}
    stream = KafkaUtils.createDirectStream(ssc, [TOPIC], params)
    counts = (
        stream.map(lambda record: record[1])
        .flatMap(lambda line: line.split(" "))
        .map(lambda word: (word, 1))
        .reduceByKey(lambda a, b: a + b)
    )
    records = 0

    def note(rdd: Any) -> None:
        nonlocal records
        records = sum(known.untilOffset - known.fromOffset for known in rdd.offsetRanges())

    stream.foreachRDD(note)
    counts.foreachRDD(lambda rdd: meter.batch(records, len(rdd.collect())))
    ssc.start()
    stop = threading.Event()

    def tick() -> None:
        # The next interval is due as soon as the one before has ended, as without a trigger.
        seen = -1
        while not stop.wait(0.001):
            if len(meter.walls) != seen:
                seen = len(meter.walls)
                ssc._clock.advance(1000)

    threading.Thread(target=tick, daemon=True).start()

    def end() -> None:
        stop.set()
        ssc.stop(stopSparkContext=False)

    return end


def structured(sc: Any, address: str, size: int, meter: Meter, columns: bool) -> Any:
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col, explode, split, udf

    spark = SparkSession(sc)
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    reader = spark.readStream.format("kafka").option("kafka.bootstrap.servers", address)
    reader = reader.option("subscribe", TOPIC).option("startingOffsets", "earliest")
    source = reader.option("maxOffsetsPerTrigger", str(size)).load()
    text = col("value").cast("string")
    cut = split(text, " ") if columns else udf(lambda line: line.split(" "), "array<string>")(text)
    words = source.select(explode(cut).alias("word"))

    def batch(frame: Any, _: int) -> None:
        found = frame.groupBy("word").count().collect()
        meter.batch(sum(row["count"] for row in found) // 10, len(found))

    query = words.writeStream.foreachBatch(batch).start()
    return query.stop


def run_job(name: str, address: str, size: int, batches: int, jars: str) -> dict[str, Any]:
    """Run one job in this process; returns its figures."""
    from pyspark import SparkConf, SparkContext

    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.jars", jars).set("spark.log.level", "OFF")
    conf.set("spark.python.unix.domain.socket.enabled", "true")
    if name == "compat":
        conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
        conf.set("spark.streaming.kafka.maxRatePerPartition", str(size // PARTITIONS))
    sc = SparkContext(conf=conf)
    meter = Meter(WARM_UP + batches)
    if name == "compat":
        end = compat(sc, address, size, meter)
    else:
        end = structured(sc, address, size, meter, name == "columns")
    if not meter.done.wait(DEADLINE):
        raise TimeoutError(f"{name}: {len(meter.walls)} batches in {DEADLINE:.0f} s")
    end()
    sc.stop()
    wall = statistics.median(meter.walls[WARM_UP:])
    return {"rate": size / wall, "cpu": meter.used / (batches * size) * 1e6, "wall": wall}


def measure(name: str, address: str, size: int, batches: int, jars: str) -> dict[str, Any]:
    """Run one job in a process of its own."""
    given = [address, str(size), str(batches), jars]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.kafka_word_count", "--job", name, *given],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr[-3000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="smaller batches")
    parser.add_argument("--batches", type=int, default=8, help="measured batches")
    parser.add_argument("--job", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        name, address, size, batches, jars = options.job
        print(json.dumps(run_job(name, address, int(size), int(batches), jars)))
        return
    from tests.support.components import jars as fetched
    from tests.support.components.kafka import Broker

    size = 20_000 if options.quick else 100_000
    cache = Path(tempfile.gettempdir(), "dstream-compat-jars")
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        broker = Broker(fetched.broker(cache), Path(folder))
        broker.start()
        try:
            broker.create(TOPIC, PARTITIONS)
            sample = lines(size)
            for _ in range(WARM_UP + options.batches + 1):
                broker.send(
                    TOPIC, ((None, line, number % PARTITIONS) for number, line in enumerate(sample))
                )
            connector = ",".join(map(str, fetched.connector(cache)))
            print(f"{'job':10} {'records/s':>10} {'x':>5} {'batch s':>8} {'cpu s/M':>8}")
            first: float | None = None
            for name in JOBS:
                found = measure(name, broker.address, size, options.batches, connector)
                first = first or found["rate"]
                print(
                    f"{name:10} {found['rate']:10,.0f} {found['rate'] / first:5.2f} "
                    f"{found['wall']:8.2f} {found['cpu']:8.2f}",
                    flush=True,
                )
        finally:
            broker.stop()


if __name__ == "__main__":
    main()
