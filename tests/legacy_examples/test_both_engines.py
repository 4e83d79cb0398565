"""Every example, unchanged, on DStreams and on this package under manual clocks: equal outputs."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.legacy.driven import comparable, drive
from tests.support.legacy.harness import ENGINES, EXAMPLES
from tests.support.legacy.plans import PLANS

pytestmark = pytest.mark.slow

Results = dict[str, list[dict[str, Any]]]
NAMES = [f"{plan['script']}-{number}" for number, plan in enumerate(PLANS)]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """What every job did, by engine; both run the same plan."""
    folder = tmp_path_factory.mktemp("examples")
    plan = folder / "plan.json"
    plan.write_text(json.dumps(PLANS), encoding="utf-8")
    with ThreadPoolExecutor() as pool:
        found = pool.map(lambda engine: drive(engine, plan, folder), ENGINES)
        return dict(zip(ENGINES, found, strict=True))


@pytest.mark.parametrize("number", range(len(PLANS)), ids=NAMES)
def test_prints_the_same(results: Results, number: int) -> None:
    spark, compat = results["spark"][number], results["compat"][number]
    assert spark["problems"] == []
    assert compat["problems"] == []
    assert compat["code"] == spark["code"]
    expected = comparable(spark["stdout"], PLANS[number])
    assert expected["batches"], "DStreams printed something"
    assert comparable(compat["stdout"], PLANS[number]) == expected


@pytest.mark.parametrize("number", range(len(PLANS)), ids=NAMES)
def test_leaves_the_same_files(results: Results, number: int) -> None:
    spark, compat = (results[engine][number]["files"] for engine in ENGINES)
    assert {name: sorted(lines) for name, lines in compat.items()} == {
        name: sorted(lines) for name, lines in spark.items()
    }


def test_every_example_has_a_plan() -> None:
    scripts = {
        str(path.relative_to(EXAMPLES))
        for path in EXAMPLES.rglob("*.py")
        if "StreamingContext(" in path.read_text(encoding="utf-8")
    }
    planned = {plan["script"] for plan in PLANS}
    # The context of the clickstream job is made by its base class. Spark has mapWithState in Scala
    # and Java only; see test_rolling_statistics. For those with servers see test_connectors.
    elsewhere = {"clickstream/streaming_job.py", "rolling_statistics.py"}
    elsewhere |= {"kinesis_wordcount.py", "mqtt_wordcount.py"}
    missing = scripts - planned - elsewhere
    assert missing == {"direct_kafka_wordcount.py", "kafka_receiver_wordcount.py"}
