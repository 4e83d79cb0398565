"""Which legacy examples become structured, which only with consent, and why others stay."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.legacy.harness import EXAMPLES

SAFE = ("directory_wordcount", "network_wordcount", "save_to_files", "sql_network_wordcount")
SAFE += ("stateful_network_wordcount", "windowed_wordcount")
# by name: why they need consent
UNSAFE = {
    "blacklist_filter": "EVALUATION",
    "direct_kafka_wordcount": "OFFSET_RANGES",
    "rolling_statistics": "BATCH_TIME",
}
# by name: why they are no DataFrames; the code of their batches stays
BATCH_CODE = {"queue_stream": "QUEUE", "mqtt_wordcount": "SOURCE"}
# by name: why they stay, with consent too
STAY = {
    "clickstream/streaming_job": ("TARGET", "assigned to an attribute"),
    "kafka_receiver_wordcount": ("BROKERS", "--kafka-brokers"),
    "kinesis_wordcount": ("SOURCE", "aws-kinesis"),
    "recoverable_network_wordcount": ("SPARK_CONTEXT", "broadcasts and accumulators"),
}
# nothing in one of its files builds the whole job
NO_JOB = ("clickstream/helpers", "clickstream/job", "clickstream/pipeline")


def source(name: str) -> str:
    return (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")


def test_all_examples_are_known() -> None:
    names = {str(path.relative_to(EXAMPLES).with_suffix("")) for path in EXAMPLES.rglob("*.py")}
    assert names == {*SAFE, *UNSAFE, *BATCH_CODE, *STAY, *NO_JOB}


@pytest.mark.parametrize("name", SAFE)
def test_becomes_structured(name: str) -> None:
    assert isinstance(rewrite(source(name)), Rewritten)


@pytest.mark.parametrize("name", UNSAFE)
def test_becomes_structured_with_consent(name: str) -> None:
    found = rewrite(source(name))
    assert isinstance(found, Reason)
    assert found.code == UNSAFE[name]
    assert isinstance(rewrite(source(name), unsafe=True), Rewritten)


@pytest.mark.parametrize("name", BATCH_CODE)
def test_keeps_the_code_of_its_batches(name: str) -> None:
    found = rewrite(source(name), unsafe=True)
    assert isinstance(found, Reason)
    assert found.code == BATCH_CODE[name]
    assert isinstance(rewrite(source(name), unsafe=True, batch_code=True), Rewritten)


@pytest.mark.parametrize("name", STAY)
def test_stays(name: str) -> None:
    found = rewrite(source(name), unsafe=True)
    assert isinstance(found, Reason)
    code, words = STAY[name]
    assert (found.code, words in found.text) == (code, True), found


def test_receivers_need_the_brokers() -> None:
    text = source("kafka_receiver_wordcount")
    assert isinstance(rewrite(text, brokers="b:9092"), Rewritten)


@pytest.mark.parametrize("name", NO_JOB)
def test_is_no_whole_job(name: str) -> None:
    assert rewrite(source(name), unsafe=True) is None
