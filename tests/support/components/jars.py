"""Jars of Maven Central that tests need, fetched once by the Ivy that PySpark brings."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pyspark

KAFKA = "3.9.1"
DEADLINE = 600.0

Module = tuple[str, str, str, bool]
"""Organisation, name, version, and whether what it needs is wanted, too."""

BROKER: Sequence[Module] = (
    ("org.apache.kafka", "kafka_2.13", KAFKA, True),
    ("org.slf4j", "slf4j-simple", "1.7.36", False),  # its log says why it does not start
)

KERBY = "2.0.3"

CONNECTORS = ((pyspark.__version__, pyspark.__version__), ("4.2.0", "4.0.0"))
"""Versions of Spark's connector and of its helper; the second where the first is not out yet."""

_BOUNCY_CASTLE = ("bcprov", "bcpkix", "bcutil")
"""Without them a ResourceManager does not start."""


def broker(cache: Path) -> list[Path]:
    """Return the jars of a Kafka broker."""
    return fetch(cache, f"broker-{KAFKA}", BROKER)


def connector(cache: Path) -> list[Path]:
    """Return the jars of Spark's Kafka connector."""
    failures = []
    for version, helper in CONNECTORS:
        modules: Sequence[Module] = (
            ("org.apache.spark", "spark-sql-kafka-0-10_2.13", version, False),
            ("org.apache.spark", "spark-token-provider-kafka-0-10_2.13", helper, False),
            ("org.apache.kafka", "kafka-clients", KAFKA, False),
            ("org.apache.commons", "commons-pool2", "2.12.0", False),
        )
        try:
            return fetch(cache, f"connector-{version}", modules)
        except RuntimeError as error:
            failures.append(str(error))
    raise RuntimeError("\n".join(failures))


def hadoop(cache: Path) -> list[Path]:
    """Return the jars of Hadoop's servers that PySpark does not bring, of its version of Hadoop."""
    version = _hadoop_version()
    modules = [
        ("org.apache.hadoop", "hadoop-client-minicluster", version, False),
        ("org.junit.jupiter", "junit-jupiter-api", "5.12.2", False),
        *(("org.bouncycastle", f"{name}-jdk18on", "1.82", False) for name in _BOUNCY_CASTLE),
    ]
    return fetch(cache, f"hadoop-{version}", modules)


def key_center(cache: Path) -> list[Path]:
    """Return the jars of Kerby's key distribution center, which Hadoop's own tests use."""
    kerb = ("admin", "client", "common", "core", "crypto", "identity", "server", "util")
    names = [f"kerb-{name}" for name in (*kerb, "simplekdc")]
    names += ["kerby-asn1", "kerby-config", "kerby-pkix", "kerby-util", "token-provider"]
    modules = [("org.apache.kerby", name, KERBY, False) for name in names]
    return fetch(cache, f"kerby-{KERBY}", modules)


def s3a(cache: Path) -> list[Path]:
    """Return the jars of Hadoop's file system for S3, some 600 MB, of PySpark's own Hadoop."""
    version = _hadoop_version()
    return fetch(cache, f"s3a-{version}", (("org.apache.hadoop", "hadoop-aws", version, True),))


def _hadoop_version() -> str:
    (client,) = Path(pyspark.__file__).parent.glob("jars/hadoop-client-api-*.jar")
    return client.stem.rpartition("-")[2]


def fetch(cache: Path, name: str, modules: Sequence[Module]) -> list[Path]:
    """Return the jars of modules; several processes may ask at once.

    Raises
    ------
    RuntimeError
        with what Ivy says, if they cannot be had
    """
    folder = cache / name
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _retrieve(cache, folder, modules)
            (folder / "complete").touch()
    return sorted(folder.glob("*.jar"))


def _retrieve(cache: Path, folder: Path, modules: Sequence[Module]) -> None:
    ivy = next(Path(pyspark.__file__).parent.glob("jars/ivy-*.jar"))
    folder.mkdir(exist_ok=True)
    lines = "".join(
        f'<dependency org="{org}" name="{name}" rev="{version}" conf="default->default" '
        f'transitive="{str(deep).lower()}"/>'
        for org, name, version, deep in modules
    )
    description = folder / "ivy.xml"
    description.write_text(
        '<ivy-module version="2.0"><info organisation="tests" module="tests"/>'
        f"<dependencies>{lines}</dependencies></ivy-module>"
    )
    home = os.environ.get("JAVA_HOME")
    command = [
        os.path.join(home, "bin", "java") if home else "java",
        # where nothing answers, it would wait for minutes at each jar
        *(f"-Dsun.net.client.default{one}Timeout=20000" for one in ("Connect", "Read")),
        *("-jar", str(ivy)),
        *("-ivy", str(description)),
        *("-cache", str(cache / "ivy")),
        *("-confs", "default"),
        *("-retrieve", str(folder / "[artifact]-[revision].[ext]")),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=DEADLINE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"Ivy did not get {modules} within {DEADLINE:.0f} s") from error
    if done.returncode or not list(folder.glob("*.jar")):
        raise RuntimeError(f"Ivy could not fetch {modules}:\n{done.stdout[-3000:]}{done.stderr}")
