"""A real ZooKeeper: one node on a free loopback port, of the jars that Spark brings."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspark
from pyspark import SparkContext

from tests.support.components.ports import free_ports

DEADLINE = 180.0


@contextmanager
def zookeeper(folder: Path) -> Iterator[str]:
    """Run a server with its data in a folder; yields its address."""
    (port,) = free_ports(1)
    config = folder / "zoo.cfg"
    config.write_text(
        f"clientPort={port}\nclientPortAddress=127.0.0.1\ndataDir={folder}/data\n"
        "tickTime=2000\nadmin.enableServer=false\n"
    )
    home = os.environ.get("JAVA_HOME")
    command = [
        os.path.join(home, "bin", "java") if home else "java",
        *("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        *("-cp", str(Path(pyspark.__file__).parent / "jars" / "*")),
        *("org.apache.zookeeper.server.quorum.QuorumPeerMain", str(config)),
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield f"127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


@contextmanager
def writing(sc: SparkContext, address: str) -> Iterator[Any]:
    """Yield a client that is connected, as soon as the server answers."""
    jvm: Any = sc._jvm
    curator = jvm.org.apache.curator
    retry = curator.retry.RetryForever(100)
    client = curator.framework.CuratorFrameworkFactory.newClient(address, retry)
    client.start()
    try:
        deadline = time.monotonic() + DEADLINE
        while not client.blockUntilConnected(1, jvm.java.util.concurrent.TimeUnit.SECONDS):
            assert time.monotonic() < deadline, "ZooKeeper does not answer"
        yield client
    finally:
        client.close()
