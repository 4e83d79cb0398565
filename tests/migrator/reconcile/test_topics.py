"""Topics of Kafka, to which two jobs write, are compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.components.kafka import Broker
from tests.support.fenced import ROOT
from tests.support.streaming.kafka_fixtures import *  # noqa: F403

pytestmark = pytest.mark.slow


def test_topics(broker: Broker, connector: list[Path]) -> None:
    for name, count in (("old", b"1"), ("new", b"2")):
        broker.create(name, 1)
        broker.send(name, [(b"a", b"1"), (b"b", count), (b"c", b"3")])
    command = [sys.executable, "-m", "migrator", "reconcile", "--format", "json"]
    command += [f"kafka:{broker.address}/{name}" for name in ("old", "new")]
    command += ["--ignore", "timestamp", "--key", "key"]
    command += ["--conf", f"spark.jars={','.join(map(str, connector))}"]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert (found["both"], found["differing"], found["only_left"]) == (2, 1, 0)
    assert found["examples"]["differing"] == [
        {"key": "b", "left": {"value": "1"}, "right": {"value": "2"}}
    ]
