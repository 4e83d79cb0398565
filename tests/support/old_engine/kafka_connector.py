"""What DStreams of PySpark 3.5 need to read Kafka: Spark's connector, and a way into Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.components.jars import Module, fetch
from tests.support.old_engine.running import HERE
from tests.support.programs import program

_VERSION: Final = "3.5.1"  # the latest one that repositories have for sure; any of 3.5 will do
_MODULES: Sequence[Module] = (
    ("org.apache.spark", "spark-streaming-kafka-0-10_2.12", _VERSION, False),
    ("org.apache.spark", "spark-token-provider-kafka-0-10_2.12", _VERSION, False),
    ("org.apache.kafka", "kafka-clients", "3.4.1", False),
)


def add_kafka(python: Path, cache: Path, folder: Path) -> list[Path]:
    """Let a PySpark 3.5 import ``pyspark.streaming.kafka``; returns the jars of its jobs.

    Parameters
    ----------
    python : Path
        of its virtual environment
    cache : Path
        where jars are kept
    folder : Path
        where our Java class is compiled to
    """
    # JAVA_HOME may be a JRE, which has none
    home = os.path.join(os.environ.get("JAVA_HOME", ""), "bin")
    javac = program("javac", "openjdk-17-jdk", places=home)
    (pyspark,) = python.parents[1].glob("lib/python*/site-packages/pyspark")
    shutil.copy(HERE / "kafka_of_3_5.py", pyspark / "streaming" / "kafka.py")
    jars = fetch(cache, f"dstreams-{_VERSION}", _MODULES)
    path = os.pathsep.join([*map(str, jars), str(pyspark / "jars" / "*")])
    out = folder / "classes"
    command = [javac, "--release", "8", "-cp", path, "-d", str(out), str(HERE / "Pair.java")]
    subprocess.run(command, check=True, capture_output=True)
    jar = folder / "pair.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(out / "old" / "Pair.class", "old/Pair.class")
    return [*jars, jar]
