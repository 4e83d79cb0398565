"""A real Kafka broker: one node, KRaft, on free loopback ports."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import NewPartitions, NewTopic
from kafka.errors import KafkaError

from tests.support.components.ports import free_ports

DEADLINE = 180.0
ANSWER_DEADLINE = 60.0
"""Seconds after which one that runs but does not answer is started once more."""
_CLUSTER = "dstreamcompattestsAAAA"
USER, PASSWORD = "alice", "secret=1"
_SECURED = (
    "ssl.keystore.type=PEM\n"
    "ssl.keystore.location={key_store}\n"
    "sasl.enabled.mechanisms=PLAIN\n"
    "listener.name.sasl_ssl.plain.sasl.jaas.config="
    "org.apache.kafka.common.security.plain.PlainLoginModule required "
    f'user_{USER}="{PASSWORD}";\n'
)


class Broker:
    """A broker in a process of its own.

    Parameters
    ----------
    jars : sequence of Path
        what it runs
    folder : Path
        for its data and log
    key_store : Path, optional
        a key with its certificates, for one more listener with TLS and a password
    """

    def __init__(self, jars: Sequence[Path], folder: Path, key_store: Path | None = None) -> None:
        self._folder = folder
        self._port, controller, secured = free_ports(3)
        self.address = f"127.0.0.1:{self._port}"
        self.secured = f"127.0.0.1:{secured}"
        public = [f"PLAINTEXT://{self.address}"]
        settings = ""
        if key_store is not None:
            public.append(f"SASL_SSL://{self.secured}")
            settings = _SECURED.format(key_store=key_store)
        listeners = ",".join(public)
        self._config = folder / "server.properties"
        self._config.write_text(
            "process.roles=broker,controller\n"
            "node.id=1\n"
            f"controller.quorum.voters=1@127.0.0.1:{controller}\n"
            f"listeners={listeners},CONTROLLER://127.0.0.1:{controller}\n"
            f"advertised.listeners={listeners}\n"
            "controller.listener.names=CONTROLLER\n"
            "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,"
            f"SASL_SSL:SASL_SSL\n{settings}"
            f"log.dirs={folder}/data\n"
            "offsets.topic.num.partitions=1\n"
            "offsets.topic.replication.factor=1\n"
            "transaction.state.log.replication.factor=1\n"
            "transaction.state.log.min.isr=1\n"
            "group.initial.rebalance.delay.ms=0\n"
            "log.retention.ms=-1\n"  # tests send records of 1970
        )
        home = os.environ.get("JAVA_HOME")
        self._java = [
            os.path.join(home, "bin", "java") if home else "java",
            *("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            *("-cp", os.pathsep.join(map(str, jars))),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self._producer: KafkaProducer | None = None
        tool = ["kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(self._config)]
        subprocess.run([*self._java, *tool], check=True, capture_output=True, timeout=DEADLINE)

    def start(self) -> None:
        """Start it, with the data that it had; returns when it answers."""
        deadline = time.monotonic() + DEADLINE
        while not self._start_once(min(deadline, time.monotonic() + ANSWER_DEADLINE)):
            self.stop()
            log = (self._folder / "log").read_text()[-3000:]
            assert time.monotonic() < deadline, f"the broker does not answer\n{log}"

    def _start_once(self, deadline: float) -> bool:
        """Start it; return whether it answers before a deadline."""
        log = self._folder / "log"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [*self._java, "kafka.Kafka", str(self._config)],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        while time.monotonic() < deadline:
            assert self._process.poll() is None, log.read_text()[-3000:]
            with suppress(KafkaError):
                timeout = max(1.0, deadline - time.monotonic())
                KafkaAdminClient(
                    bootstrap_servers=self.address, bootstrap_timeout_ms=int(1000 * timeout)
                ).close()
                return True
        return False

    def stop(self) -> None:
        """Stop it; its data stay."""
        self._forget_producer()
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _forget_producer(self) -> None:
        if self._producer is not None:
            self._producer.close(timeout=1)
            self._producer = None

    def create(self, topic: str, partitions: int) -> None:
        """Create a topic."""
        with closing(KafkaAdminClient(bootstrap_servers=self.address)) as admin:
            admin.create_topics([NewTopic(topic, partitions, 1)])

    def grow(self, topic: str, partitions: int) -> None:
        """Give a topic more partitions."""
        with closing(KafkaAdminClient(bootstrap_servers=self.address)) as admin:
            admin.create_partitions({topic: NewPartitions(partitions)})
        self._forget_producer()  # it knows the old ones only

    def delete_before(self, topic: str, partition: int, offset: int) -> None:
        """Delete the records of a partition before an offset."""
        with closing(KafkaAdminClient(bootstrap_servers=self.address)) as admin:
            admin.delete_records({TopicPartition(topic, partition): offset})

    def send(self, topic: str, records: Iterable[Sequence[Any]]) -> None:
        """Send records of (key, value[, partition[, timestamp in ms]]); wait until it has them."""
        if self._producer is None:
            self._producer = KafkaProducer(bootstrap_servers=self.address)
        futures = []
        for key, value, *rest in records:
            partition, at = [*rest, None, None][:2]
            futures.append(self._producer.send(topic, value, key, None, partition, at))
        for future in futures:
            future.get(timeout=DEADLINE)

    def group(self, group: str, topic: str) -> dict[int, int]:
        """Return where a consumer group stands: partition to offset."""
        with closing(KafkaConsumer(bootstrap_servers=self.address, group_id=group)) as consumer:
            found = {
                number: consumer.committed(TopicPartition(topic, number))
                for number in consumer.partitions_for_topic(topic) or ()
            }
        return {number: offset for number, offset in found.items() if offset is not None}
