"""Every `spark.streaming.*` key of Spark 1.x to 4.x and what it does under dstream_compat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

PREFIX = "spark.streaming."


class Effect(StrEnum):
    """What dstream_compat does with a key."""

    HONOURED = "honoured"
    NONE = "no effect"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Fact:
    """A known key: its group (which rule reports it), its effect, and what to know."""

    group: str
    effect: Effect
    note: str
    review: bool = False


def _facts(
    group: str, effect: Effect, note: str, *keys: str, review: bool = False
) -> dict[str, Fact]:
    return {PREFIX + key: Fact(group, effect, note, review) for key in keys}


SETTINGS: dict[str, Fact] = {
    **_facts(
        "write-ahead-log",
        Effect.HONOURED,
        "what receivers take is kept on disk until it is processed; logs that the old job left in "
        "its checkpoint directory are not read",
        "receiver.writeAheadLog.enable",
        review=True,
    ),
    **_facts(
        "write-ahead-log",
        Effect.NONE,
        "there is no log writer to tune; Structured Streaming keeps its own offset and commit logs",
        "receiver.writeAheadLog.class",
        "receiver.writeAheadLog.closeFileAfterWrite",
        "receiver.writeAheadLog.maxFailures",
        "receiver.writeAheadLog.rollingIntervalSecs",
        "driver.writeAheadLog.allowBatching",
        "driver.writeAheadLog.batchingTimeout",
        "driver.writeAheadLog.class",
        "driver.writeAheadLog.closeFileAfterWrite",
        "driver.writeAheadLog.maxFailures",
        "driver.writeAheadLog.rollingIntervalSecs",
        review=True,
    ),
    **_facts(
        "backpressure",
        Effect.HONOURED,
        "the rate is controlled per batch interval by dstream_compat, not by Spark's estimator; "
        "batch sizes will differ from those you know",
        "backpressure.enabled",
        "backpressure.initialRate",
        review=True,
    ),
    **_facts(
        "backpressure",
        Effect.HONOURED,
        "constants of the rate estimator; they were tuned for the old scheduling delays",
        "backpressure.pid.derived",
        "backpressure.pid.integral",
        "backpressure.pid.minRate",
        "backpressure.pid.proportional",
        "backpressure.rateEstimator",
        review=True,
    ),
    **_facts(
        "rate-limit",
        Effect.HONOURED,
        "records per second of each receiver",
        "receiver.maxRate",
        review=True,
    ),
    **_facts(
        "rate-limit",
        Effect.HONOURED,
        "records per second of each Kafka partition",
        "kafka.maxRatePerPartition",
        review=True,
    ),
    **_facts(
        "rate-limit",
        Effect.NONE,
        "a lower bound for backpressure on each Kafka partition; Structured Streaming's Kafka "
        "source has none",
        "kafka.minRatePerPartition",
        review=True,
    ),
    **_facts(
        "rate-limit",
        Effect.NONE,
        "blocks do not exist any more; use receiver.maxRate to bound what is taken",
        "raw.maxBlockSizeBytes",
        review=True,
    ),
    **_facts(
        "other",
        Effect.HONOURED,
        "works as before",
        "concurrentJobs",
        "fileStream.minRememberDuration",
        "gracefulStopTimeout",
        "stopGracefullyOnShutdown",
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "the old name of spark.streaming.fileStream.minRememberDuration",
        "minRememberDuration",
        review=True,
    ),
    **_facts(
        "other",
        Effect.NONE,
        "changes nothing that a job computes: there are no receiver blocks, and the number of "
        "partitions is set by the stages",
        "blockInterval",
        "blockQueueSize",
        "receiver.blockStoreTimeout",
        "receiverRestartDelay",
    ),
    **_facts(
        "other",
        Effect.NONE,
        "changes nothing that a job computes: old batches are cleaned up by dstream_compat",
        "unpersist",
        "sessionByKey.deltaChainThreshold",
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "the Streaming tab is gone; the Structured Streaming tab keeps "
        "spark.sql.streaming.ui.retainedProgressUpdates entries",
        "ui.retainedBatches",
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "call ssc.checkpoint(directory); this key alone sets no checkpoint directory any more",
        "checkpoint.directory",
        review=True,
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "listeners written for the JVM are not called; register a Python StreamingListener with "
        "ssc.addStreamingListener()",
        "extraListeners",
        review=True,
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "pass stopSparkContext to ssc.stop(); its default stays True",
        "stopSparkContextByDefault",
        review=True,
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "receivers are not scaled with executors; use spark.dynamicAllocation.* for the cluster",
        "dynamicAllocation.enabled",
        "dynamicAllocation.maxExecutors",
        "dynamicAllocation.minExecutors",
        "dynamicAllocation.scalingDownRatio",
        "dynamicAllocation.scalingInterval",
        "dynamicAllocation.scalingUpRatio",
        "dynamicAllocation.testing",
        review=True,
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "consumers are pooled by Structured Streaming's Kafka source: see spark.kafka.consumer.*",
        "kafka.consumer.cache.enabled",
        "kafka.consumer.cache.initialCapacity",
        "kafka.consumer.cache.loadFactor",
        "kafka.consumer.cache.maxCapacity",
        "kafka.consumer.cache.minEvictableIdleTimeMillis",
        "kafka.consumer.cache.timeout",
        "kafka.consumer.poll.ms",
        "kafka.maxRetries",
    ),
    **_facts(
        "other",
        Effect.NONE,
        "gaps in offsets (compacted or transactional topics) are always accepted",
        "kafka.allowNonConsecutiveOffsets",
    ),
    **_facts(
        "other",
        Effect.NONE,
        "retries of reads belong to the Kinesis client now",
        "kinesis.retry.maxAttempts",
        "kinesis.retry.waitTime",
    ),
    **_facts(
        "other",
        Effect.REPLACED,
        "a test clock of Spark's own suites; dstream_compat has a manual clock for tests",
        "clock",
        "manualClock.jump",
        review=True,
    ),
    **_facts(
        "other",
        Effect.NONE,
        "a property that Spark sets by itself on the jobs of a batch",
        "internal.batchTime",
        "internal.outputOpId",
        review=True,
    ),
}


def group_of(key: str) -> str:
    """Which group a key belongs to: "unknown" if Spark never had it, "prefix" if it is cut off."""
    if key.endswith("."):
        return "prefix"
    fact = SETTINGS.get(key)
    return "unknown" if fact is None else fact.group
