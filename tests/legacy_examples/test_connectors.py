"""The examples that read from a server of another project, unchanged, with such a server."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.support.streaming.broker import Broker, Publisher
from tests.support.streaming.kinesis_server import REGION, kinesis_server
from tests.support.legacy.harness import Lines, blocks, run_job

pytestmark = pytest.mark.slow

TEXTS = ["to be or not", "", "to be", "spark  in the cellar"]
COUNTS = Counter(word for text in TEXTS for word in text.split())


def counted(lines: Lines) -> Counter[str]:
    """The sum of the pairs that all batches printed."""
    found: Counter[str] = Counter()
    for block in blocks(lines):
        assert not block.cut
        for element in block.elements:
            if element.startswith("("):
                word, count = ast.literal_eval(element)
                found[word] += count
    return found


def test_mqtt(tmp_path: Path) -> None:
    broker = Broker(tmp_path)
    publisher = Publisher(broker)
    try:
        with run_job("compat", "mqtt_wordcount.py", [broker.url, "notes"], tmp_path) as job:
            job.wait_until(lambda lines: bool(blocks(lines)), "a first batch")
            broker.await_subscriber()
            for text in TEXTS:
                publisher.publish("notes", text)
            job.wait_until(lambda lines: counted(lines) == COUNTS, f"the counts {COUNTS}")
    finally:
        publisher.close()
        broker.stop()


def test_kinesis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with kinesis_server() as kinesis:
        kinesis.create("notes", 2)
        records = [json.dumps({"text": text}) for text in TEXTS]
        args = ["app", "notes", kinesis.url, REGION, tmp_path / "checkpoint"]
        with run_job("compat", "kinesis_wordcount.py", args, tmp_path) as job:
            kinesis.put("notes", 0, "no JSON", records[0])
            kinesis.put("notes", 1, *records[1:])
            totals = {f"{word} so far: {count}" for word, count in COUNTS.items()}
            job.wait_until(
                lambda lines: (
                    counted(lines) == COUNTS
                    and any(totals <= set(block.elements) for block in blocks(lines))
                ),
                f"the totals {totals}",
            )
