"""The JVM of a job dies: whatever the job is made of, its process ends with an error."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.source.kafka.client import KafkaClient
from tests.support.streaming.processes import DEADLINE, java_of, started_job


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    ["behind", "frame", "remember"],
)
@pytest.mark.full
def test_process_ends(tmp_path: Path, kind: str) -> None:
    with started_job("jvm_death", kind, str(tmp_path)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        os.kill(java_of(process), signal.SIGKILL)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 1, err
        assert out == "", "awaitTermination must not return"
        assert "QueryFailedError" in err


def test_consumer_of_a_dead_jvm_is_closed() -> None:
    """Nothing is left to be closed, and the job's end must not be held up."""

    class Gone:
        def close(self) -> None:
            raise ConnectionRefusedError(111, "Connection refused")

    client: Any = KafkaClient.__new__(KafkaClient)
    client._lock, client._consumer, client._servers = threading.Lock(), Gone(), "a:1"
    client.close()
