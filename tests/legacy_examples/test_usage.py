"""What can be said of the examples without a JVM: their usage, and that they are Python 3."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.legacy.harness import EXAMPLES, command, environment

pytestmark = pytest.mark.slow

SCRIPTS = [
    "network_wordcount.py",
    "stateful_network_wordcount.py",
    "windowed_wordcount.py",
    "sql_network_wordcount.py",
    "directory_wordcount.py",
    "recoverable_network_wordcount.py",
    "blacklist_filter.py",
    "save_to_files.py",
    "clickstream/job.py",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_usage(engine: str, script: str, tmp_path: Path) -> None:
    result = subprocess.run(
        command(engine, script, []),
        cwd=tmp_path,
        env=environment(engine),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert result.returncode not in (0, 126, 127)
    assert result.stderr.strip().splitlines()[-1].startswith(f"Usage: {Path(script).name} ")
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_kafka_examples_are_python_3() -> None:
    # PySpark 4 has no pyspark.streaming.kafka, so these two cannot run on DStreams
    for script in ("direct_kafka_wordcount.py", "kafka_receiver_wordcount.py"):
        compile((EXAMPLES / script).read_text(encoding="utf-8"), script, "exec")
