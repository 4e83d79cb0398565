"""The jobs of the golden projects that read servers, which Spark 4's DStreams cannot.

What they have to print of each batch is computed here, in plain Python, from the records. The cut
is certain: a server has the records of an interval before the clock moves, and those of the next
one are sent when the batch has printed. Only with several streams of Kafka it is not: in the first
interval Spark may have asked for the offsets of one of them before its records were sent.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.support.migrator.plans.golden import Golden, golden

Records = dict[str, list[Any]]
ELEMENT = re.compile(r"\('(\w+)', (-?\d+)\)")

EVENTS: list[Records] = [
    {
        "clicks": [json.dumps({"type": "click"})] * 2 + [json.dumps({"type": "view", "n": 3})],
        "orders": [json.dumps({"type": "order", "n": 2})],
    },
    {},
    {"clicks": ['{"type": "click", "n": 5}'], "returns": ['{"type": "order", "n": -1}']},
    {},
]
TEXTS: list[Records] = [{"lines": ["to be or", "not to be"]}, {}, {"lines": ["be"]}, {}]
ORDERS: list[Records] = [
    {"purchases": ["ann,1.5", "bob,2", "ann,0.25"]},
    {},
    {"purchases": ["cy,7", "bob,-2"]},
    {},
]
TWEETS: list[Records] = [
    {"tweets": [json.dumps({"text": text}) for text in ("#a is #b", "#a", "none")]},
    {"tweets": [json.dumps({"text": "#c"})]},
    {},
]
LEDGER: list[Records] = [{"ledger": ["b", "a"]}, {}, {"ledger": ["\u00e4"]}, {}]
TEXTS_OF_EVENTS = [["ab", "cd", "eb"], [], ["fgh"]]
MACHINES = {
    "tcp://localhost:1883": "{TEST_MQTT}",
    "https://kinesis": "{TEST_KINESIS}",
    "us-east-1": "{AWS_DEFAULT_REGION}",
}
MORE: list[Records] = [{"ledger": ["c"]}, {}]


def steps(records: Iterable[Records]) -> list[dict[str, Records]]:
    """Return steps in which these records are sent."""
    return [{"records": one} for one in records]


def summed(batch: Records) -> list[str]:
    """Return what is printed of the events of a batch."""
    totals: Counter[str] = Counter()
    for event in (json.loads(text) for texts in batch.values() for text in texts):
        totals[event["type"]] += event.get("n", 1)
    return [str(pair) for pair in totals.items()]


def sums(printed: Counter[str]) -> Counter[str]:
    """Return the sums of the numbers of pairs, by what is before them."""
    found: Counter[str] = Counter()
    for match in filter(None, map(ELEMENT.fullmatch, printed.elements())):
        found[match[1]] += int(match[2])
    return found


def words(batch: Records) -> list[str]:
    """Return what is printed of the words of a batch."""
    found = Counter(word for text in batch.get("lines", ()) for word in text.split(" "))
    return [str(pair) for pair in found.items()]


def tweets(batch: Records) -> list[list[str]]:
    """Return what both outputs print of a batch of tweets."""
    texts = [json.loads(text)["text"] for text in batch.get("tweets", ())]
    tags = Counter(word for text in texts for word in text.split() if word.startswith("#"))
    counts = [f"Tag: {tag}\tCount: {count}" for tag, count in tags.items()]
    # a receiver without records has no partition that is counted
    return [[f"Tweets in this batch: {len(texts)}"] if texts else [], counts]


def running(batches: Iterable[Records]) -> list[str]:
    """Return what is printed of the totals by customer, batch by batch."""
    totals: dict[str, float] = {}
    printed = []
    for number, batch in enumerate(batches, 1):
        for order in batch.get("purchases", ()):
            customer, amount = order.split(",")
            totals[customer] = totals.get(customer, 0) + float(amount)
        printed += [f"{number} {name} {total:.2f}" for name, total in sorted(totals.items())]
    return printed


def decoded(batches: Iterable[Records]) -> list[str]:
    """Return what is printed of the values of each batch, which the job decodes as Latin-1."""
    return [
        str(sorted(value.encode().decode("latin-1") for value in batch.get("ledger", ())))
        for batch in batches
    ]


SERVERS: list[Golden] = [
    golden(
        "zookeeper_receivers",
        "job.py",
        steps(EVENTS),
        [1],
        blocks=[summed(batch) for batch in EVENTS],
        in_total=True,
        kafka={"clicks": 2, "orders": 1, "returns": 1, "letters": 1},
    ),
    golden(
        "notebook_kafka",
        "tweets.py",
        steps(TWEETS),
        interval=5,
        blocks=[block for batch in TWEETS for block in tweets(batch)],
        kafka={"tweets": 1},
    ),
    golden(
        "scheduled",
        "jobs/orders.py",
        steps(ORDERS),
        ["config.json"],
        files={
            "config.json": json.dumps(
                {
                    "name": "orders",
                    "interval": 1,
                    "checkpoint": "checkpoint",
                    "spark": {"spark.streaming.kafka.maxRatePerPartition": "100"},
                    "kafka": {
                        "topics": ["purchases"],
                        "kafkaParams": {"metadata.broker.list": "{BROKER}"},
                    },
                }
            )
        },
        lines=running(ORDERS),
        kafka={"purchases": 2},
    ),
    golden(
        "submit_environ",
        "job.py",
        steps(TEXTS),
        ["{BROKER}", "lines"],
        blocks=[words(batch) for batch in TEXTS],
        kafka={"lines": 2},
    ),
    golden(
        "stored_offsets",
        "job.py",
        steps(LEDGER),
        ["{BROKER}", "ledger"],
        lines=decoded(LEDGER),
        kafka={"ledger": 2},
    ),
    golden(
        "stored_offsets",
        "job.py",
        steps(MORE),
        ["{BROKER}", "ledger"],
        again=True,
        lines=decoded(MORE),
    ),
    golden(
        "receivers_union",
        "job.py",
        [],
        lines=[],
        error="AttributeError",  # DStreams have no top()
        kafka={"events": 1},
    ),
    golden(
        "kafka_offsets",
        "consumer.py",
        [],
        files={"localhost": "events 0 0\n"},
        lines=[],
        error="topics should be list",
    ),
    *(
        golden(
            "connectors",
            "job.py",
            [{sent: {"events": texts}} for texts in TEXTS_OF_EVENTS],
            [server],
            blocks=[[text[1] for text in texts] for texts in TEXTS_OF_EVENTS],
            server=server,
            addresses=MACHINES,
        )
        for server, sent in (("mqtt", "messages"), ("kinesis", "puts"))
    ),
    golden("connectors", "job.py", [], ["flume"], lines=[], error="Flume", addresses=MACHINES),
]
