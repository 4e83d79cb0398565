"""An hour at the highest rate that the machine holds: does anything grow?

``python -m benchmarks.long_run [--minutes N] [--keys N] [--rate N] [--out FILE]`` starts a Kafka
broker, a producer of a steady number of records per second, and a job on this package with
backpressure: ``mapWithState`` over ``--keys`` keys, and a window with an inverse function. The job
is killed with SIGKILL after a third and after two thirds of the time, and started again. Every ten
seconds a line with memory, open files and the checkpoint is written to ``--out``.

At last the job processes what is left, and each key's total is compared with what was sent. Prints
the figures of the quarters of the time, and ends with 1 if a total is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add, sub
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from .harness.figures import OURS
from .harness.job import Place, Scale
from .harness.processes import send, tree, tree_memory
from .harness.run import ROOT

if TYPE_CHECKING:
    from tests.support.components.kafka import Broker

PARTITIONS: Final = 4
TOPIC: Final = "events"
INTERVAL: Final = 5
CATEGORIES: Final = 1000
STRIDE: Final = 7919
"""A prime: the keys of consecutive records are far from each other."""

SAMPLE_SECONDS: Final = 10.0
DEADLINE: Final = 1800.0
"""Seconds within which the job has to process what is left at the end."""

Sample = dict[str, float]


@dataclass(frozen=True)
class Files:
    """The files by which the processes of a run talk to each other.

    Parameters
    ----------
    folder : Path
        of the run
    """

    folder: Path

    def write(self, path: Path, text: str) -> None:
        """Write a file that others see whole or not at all."""
        draft = self.folder / "draft"
        draft.write_text(text)
        draft.replace(path)

    @property
    def checkpoint(self) -> Path:
        """Folder of the job's checkpoint."""
        return self.folder / "checkpoint"

    @property
    def batches(self) -> Path:
        """One line for each completed batch."""
        return self.folder / "batches"

    @property
    def sent(self) -> Path:
        """The number of all records, when the producer has ended."""
        return self.folder / "sent"

    @property
    def totals(self) -> Path:
        """Number of keys, sum of their totals, and keys whose total is wrong."""
        return self.folder / "totals"


def produce(folder: str, address: str, jars: str, rate: int, keys: int) -> None:
    """Send records until SIGTERM; then write how many there were."""
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    conf = (
        SparkConf().setMaster("local[1]").set("spark.jars", jars).set("spark.ui.enabled", "false")
    )
    conf.set("spark.log.level", "ERROR").set("spark.driver.memory", "512m")
    spark = SparkSession.builder.config(conf=conf).getOrCreate()
    rows = spark.readStream.format("rate").option("rowsPerSecond", rate).option("numPartitions", 1)
    records = rows.load().selectExpr(
        f"CAST(value * {STRIDE} % {keys} AS STRING) AS value",
        f"CAST(value % {PARTITIONS} AS INT) AS partition",
    )
    writer = records.writeStream.format("kafka").option("kafka.bootstrap.servers", address)
    writer = writer.option("topic", TOPIC).trigger(processingTime="1 second")
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    query = writer.option("checkpointLocation", f"{folder}/producer").start()
    signal.sigwait([signal.SIGTERM])
    while query.status["isTriggerActive"]:  # a batch that is stopped would leave gaps
        time.sleep(0.01)
    query.stop()
    spark.stop()


def track(key: str, value: int | None, state: Any) -> None:
    """Count the records of a key."""
    state.update((state.getOption() or 0) + (value or 0))


def expected(key: int, sent: int, keys: int) -> int:
    """Return how often a key was sent: value * STRIDE % keys == key for value below ``sent``."""
    first = key * pow(STRIDE, -1, keys) % keys
    return (sent - first + keys - 1) // keys


def run_job(folder: str, address: str, jars: str, rate: int, keys: int) -> None:
    """Run the job until its totals are written."""
    from dstream_compat import StateSpec, StreamingContext, StreamingListener
    from dstream_compat.kafka import KafkaUtils

    from .harness.spark import spark_context

    files = Files(Path(folder))

    class Batches(StreamingListener):
        def onBatchCompleted(self, batchCompleted: Any) -> None:
            info = batchCompleted.batchInfo()
            line = {
                "time": time.time(),
                "batch": info.batchTime().milliseconds() / 1000,
                "records": info.numRecords(),
                "processing": info.processingDelay() / 1000,
                "delay": info.totalDelay() / 1000,
            }
            with files.batches.open("a") as stream:
                stream.write(json.dumps(line) + "\n")

    def create() -> StreamingContext:
        settings = {
            "spark.streaming.backpressure.enabled": "true",
            "spark.streaming.kafka.maxRatePerPartition": str(rate),
        }
        sc = spark_context(Place(OURS, files.folder / "job", Scale(), settings), manual=False)
        ssc: Any = StreamingContext(sc, INTERVAL)
        ssc.checkpoint(str(files.checkpoint))
        params = {"metadata.broker.list": address, "auto.offset.reset": "smallest"}
        stream = KafkaUtils.createDirectStream(ssc, [TOPIC], params)
        pairs = stream.map(lambda record: (record[1], 1))
        totals = pairs.mapWithState(StateSpec.function(track))
        totals.foreachRDD(lambda rdd: rdd.count())
        totals.stateSnapshots().foreachRDD(check)
        categories = pairs.map(lambda pair: (int(pair[0]) % CATEGORIES, pair[1]))
        window = categories.reduceByKeyAndWindow(add, sub, 60, 10)
        window.foreachRDD(lambda rdd: rdd.count())
        return ssc  # type: ignore[no-any-return]

    def check(rdd: Any) -> None:
        if not files.sent.exists():
            return
        sent = int(files.sent.read_text())
        found = rdd.map(
            lambda pair: (1, pair[1], int(pair[1] != expected(int(pair[0]), sent, keys)))
        ).reduce(lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
        if found[1] >= sent:
            files.write(files.totals, json.dumps(found))

    # getOrCreate starts the JVM before it calls create
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--jars {jars} pyspark-shell"
    ssc: Any = StreamingContext.getOrCreate(str(files.checkpoint), create)
    ssc.addStreamingListener(Batches())
    ssc.start()
    while not files.totals.exists():
        ssc.awaitTerminationOrTimeout(1)
    ssc.stop()


def process(role: str, files: Files, *given: str) -> subprocess.Popen[bytes]:
    """Start a process of the run; its output goes to a file of the folder."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.long_run",
        "--role",
        role,
        str(files.folder),
        *given,
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    with (files.folder / f"{role}.log").open("ab") as log:
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )


def records_of(address: str) -> int:
    """Return how many records the topic has."""
    from kafka import KafkaConsumer, TopicPartition

    partitions = [TopicPartition(TOPIC, number) for number in range(PARTITIONS)]
    with contextlib.closing(KafkaConsumer(bootstrap_servers=address)) as consumer:
        return sum(consumer.end_offsets(partitions).values())


def files_below(folder: Path) -> tuple[int, float]:
    """Return how many files are below a folder, and their MiB."""
    number = size = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # it was just removed
            if path.is_file():
                number, size = number + 1, size + path.stat().st_size
    return number, size / 2**20


def open_files(root: int) -> int:
    """Return how many files, sockets and pipes a process and its descendants have open."""
    count = 0
    for pid in tree(root):
        with contextlib.suppress(OSError):  # it has ended
            count += len(os.listdir(f"/proc/{pid}/fd"))
    return count


def batches_of(files: Files) -> list[Sample]:
    """Return the completed batches."""
    if not files.batches.exists():
        return []
    return [json.loads(line) for line in files.batches.read_text().splitlines()]


def sample(root: int, files: Files, started: float) -> Sample:
    """Return the figures of this moment."""
    number, size = files_below(files.checkpoint)
    return {
        "seconds": round(time.time() - started, 1),
        "memory": round(tree_memory(root), 1),
        "open_files": open_files(root),
        "checkpoint_files": number,
        "checkpoint_mib": round(size, 1),
        "load": os.getloadavg()[0],
    }


def quarters(samples: Sequence[Sample], batches: Sequence[Sample], started: float) -> Iterator[str]:
    """Yield a table of the medians of the quarters of a run."""
    columns = "memory", "open_files", "checkpoint_files", "checkpoint_mib", "load"
    end = samples[-1]["seconds"]
    yield "quarter  records/s  delay s  MiB  open files  checkpoint files  checkpoint MiB  load"
    for quarter in range(4):
        low, high = end * quarter / 4, end * (quarter + 1) / 4
        within = [sample for sample in samples if low < sample["seconds"] <= high]
        completed = [batch for batch in batches if low < batch["time"] - started <= high]
        rate = sum(batch["records"] for batch in completed) / (high - low)
        delay = median(batch["delay"] for batch in completed) if completed else float("nan")
        figures = [median(sample[column] for sample in within) for column in columns]
        text = "  ".join(f"{figure:,.0f}" for figure in figures)
        yield f"{quarter + 1}  {rate:,.0f}  {delay:.2f}  {text}"


def measure(files: Files, broker: Broker, jars: str, options: argparse.Namespace) -> int:
    """Run producer and job for the time that is asked for; returns the exit code."""
    given = [broker.address, jars, str(options.rate), str(options.keys)]
    producer, job = process("produce", files, *given), process("run_job", files, *given)
    started, samples = time.time(), list[Sample]()
    seconds = options.minutes * 60
    kills = [seconds / 3, seconds * 2 / 3]
    try:
        while (now := time.time() - started) < seconds:
            if (code := job.poll()) is not None or producer.poll() is not None:
                return fail(files, f"a process has ended, the job with {code}")
            if kills and now >= kills[0]:
                kills.pop(0)
                send(job.pid, signal.SIGKILL)
                job.wait()
                job = process("run_job", files, *given)
            samples.append(sample(job.pid, files, started))
            with options.out.open("a") as stream:
                stream.write(json.dumps(samples[-1]) + "\n")
            time.sleep(SAMPLE_SECONDS)
        producer.send_signal(signal.SIGTERM)
        producer.wait(60)
        files.write(files.sent, str(records_of(broker.address)))
        deadline = time.time() + DEADLINE
        while job.poll() is None and time.time() < deadline:
            time.sleep(1)
    finally:
        for running in (producer, job):
            if running.poll() is None:
                send(running.pid, signal.SIGKILL)
                running.wait()
    if not files.totals.exists():
        return fail(files, "the job has not come to its end")
    keys, total, wrong = json.loads(files.totals.read_text())
    sent = int(files.sent.read_text())
    print("\n".join(quarters(samples, batches_of(files), started)))
    print(f"{sent:,} records sent, {total:,} counted of {keys:,} keys, {wrong:,} keys are wrong")
    return int(wrong != 0 or total != sent)


def fail(files: Files, reason: str) -> int:
    """Print a reason and the ends of the logs; returns the exit code."""
    logs = "".join(path.read_text()[-2000:] for path in sorted(files.folder.glob("*.log")))
    print(f"error: {reason}\n{logs}", file=sys.stderr)
    return 1


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--keys", type=int, default=1_000_000, help="no multiple of 7919")
    parser.add_argument("--rate", type=int, default=50_000, help="records sent in a second")
    parser.add_argument("--out", type=Path, default=Path("long-run.jsonl"))
    parser.add_argument("--role", nargs=6, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        role, folder, address, jars, rate, keys = options.role
        {"produce": produce, "run_job": run_job}[role](folder, address, jars, int(rate), int(keys))
        return 0
    from tests.support.components import jars as fetched
    from tests.support.components.kafka import Broker

    cache = Path(tempfile.gettempdir(), "dstream-compat-jars")
    with tempfile.TemporaryDirectory(prefix="long-run-", ignore_cleanup_errors=True) as folder:
        (Path(folder) / "broker").mkdir()
        broker = Broker(fetched.broker(cache), Path(folder, "broker"))
        try:
            broker.start()
            broker.create(TOPIC, PARTITIONS)
            connector = ",".join(map(str, fetched.connector(cache)))
            return measure(Files(Path(folder)), broker, connector, options)
        finally:
            broker.stop()


if __name__ == "__main__":
    sys.exit(main())
