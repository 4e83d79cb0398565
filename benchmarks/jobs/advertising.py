"""Views of advertisements, counted by campaign and ten seconds of event time.

The pipeline is that of the Yahoo streaming benchmark: parse, filter, project, join, window.
"""

from __future__ import annotations

import json
from typing import Any

from ..harness.batches import BatchJob, ByHand, Lines, Phase
from ..harness.job import Measure, Scale
from .small_stateful import total

ADS = 1000
CAMPAIGNS = 100
WINDOW = 10_000
TYPES = ("view", "click", "purchase")
START = 1_700_000_000_000
SCHEMA = "ad_id string, event_type string, event_time long"


def events(count: int) -> Lines:
    """Return batches of so many events; a batch is one second of event time."""

    def batch(number: int) -> list[str]:
        return [
            json.dumps(
                {
                    "user_id": f"user-{i * 104_729 % 100_003}",
                    "page_id": f"page-{i % 997}",
                    "ad_id": f"ad-{(i * 7919 + number) % (ADS + 10)}",  # ten have no campaign
                    "ad_type": "banner",
                    "event_type": TYPES[(i + number) % len(TYPES)],
                    "event_time": START + number * 1000 + i * 1000 // count,
                    "ip_address": "192.0.2.1",
                }
            )
            for i in range(count)
        ]

    return batch


def campaigns() -> dict[str, str]:
    """Return the campaign of each ad."""
    return {f"ad-{i}": f"campaign-{i % CAMPAIGNS}" for i in range(ADS)}


def views(stream: Any) -> Any:
    """Return (campaign, start of the window, views) of all windows."""
    known = stream.context().sparkContext.broadcast(campaigns())

    def join(event: tuple[str, int]) -> list[tuple[tuple[str, int], int]]:
        ad, at = event
        campaign = known.value.get(ad)
        return [] if campaign is None else [((campaign, at // WINDOW * WINDOW), 1)]

    return (
        stream.map(json.loads)
        .filter(lambda event: event["event_type"] == "view")
        .map(lambda event: (event["ad_id"], event["event_time"]))
        .flatMap(join)
        .reduceByKey(lambda a, b: a + b)
        .updateStateByKey(total)
        .map(lambda found: (found[0][0], found[0][1], found[1]))
    )


def views_by_hand(frame: Any) -> Any:
    """Return the same with JSON functions, a join with a table and event-time windows."""
    from pyspark.sql.functions import broadcast, col, from_json, timestamp_millis, window

    known = frame.sparkSession.createDataFrame(
        list(campaigns().items()), "ad_id string, campaign string"
    )
    event = frame.select(from_json(col("value"), SCHEMA).alias("event")).select("event.*")
    seen = event.where(col("event_type") == "view").select(
        "ad_id", timestamp_millis(col("event_time")).alias("at")
    )
    joined = seen.join(broadcast(known), "ad_id")
    return joined.groupBy("campaign", window("at", f"{WINDOW // 1000} seconds")).count()


def flat(frame: Any) -> Any:
    """Return the counts with the start of the window in milliseconds."""
    from pyspark.sql.functions import col, unix_millis

    return frame.select("campaign", unix_millis(col("window.start")), "count")


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured."""
    count = scale.pick(10_000, 100_000, 200_000)
    warm, batches = scale.pick((2, 2), (2, 4), (3, 8))
    what = f"{count:,} events a batch"
    return [Phase(Measure("cycle", what, scale.other()), events(count), warm, batches)]


JOB = BatchJob(
    "advertising",
    "views of ads by campaign and 10 s: filter, project, join, windowed counts",
    phases=phases,
    dstream=views,
    by_hand=ByHand(views_by_hand, flat, mode="complete"),
    checkpoint=True,
    seconds=70,
)
